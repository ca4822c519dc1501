/** Loads the SDK's own host of dynamic providers again, because it keeps its providers. */
const { createRequire } = require("node:module");

const fromSdk = createRequire(require.resolve("@pulumi/pulumi/package.json"));
const grpc = fromSdk("@grpc/grpc-js");

/** Runs the host's module in this process and sets its arguments. @returns the server */
function runSdkHost() {
  const bind = grpc.Server.prototype.bindAsync;
  let server;
  grpc.Server.prototype.bindAsync = function (...rest) {
    server = this;
    return bind.apply(this, rest);
  };
  const path = fromSdk.resolve("./cmd/dynamic-provider");
  delete require.cache[path];
  process.argv = [process.execPath, path, "127.0.0.1:0"];
  require(path);
  grpc.Server.prototype.bindAsync = bind;
  return server;
}

module.exports = { runSdkHost };
