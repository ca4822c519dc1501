// The command for scripts, which can only start processes: asks the tests' process, in which the command is loaded
// (shim.ts).
import { connect } from "node:net";

const [socket, ...args] = process.argv.slice(2);
let told = "";
connect(socket)
  .on("data", (chunk) => {
    told += chunk;
  })
  .on("end", () => {
    const { code, stdout, stderr } = JSON.parse(told);
    process.stdout.write(stdout);
    process.stderr.write(stderr);
    process.exitCode = code;
  })
  .end(JSON.stringify({ args, cwd: process.cwd(), env: process.env }));
