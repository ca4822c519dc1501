/** What Pulumi's starter of plugins requires: the first line is the port. */
require("./server.cjs")
  .serve()
  .then((port) => process.stdout.write(`${port}\n`));
