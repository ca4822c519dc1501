/** Required by Pulumi's plugin starter: prints the port as the first line. */
require("./server.cjs")
  .serve()
  .then((port) => process.stdout.write(`${port}\n`));
