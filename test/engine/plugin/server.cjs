/**
 * The resources of provider.cjs as a plugin: package scene, type scene:index:Thing, function scene:index:look. Its
 * configuration appears in the outputs: `region`, which its environment may set.
 */
const grpc = require("@grpc/grpc-js");
const plugin = require("@pulumi/pulumi/proto/plugin_pb");
const services = require("@pulumi/pulumi/proto/provider_grpc_pb");
const messages = require("@pulumi/pulumi/proto/provider_pb");
const status = require("@pulumi/pulumi/proto/status_pb");
const anyModule = require("google-protobuf/google/protobuf/any_pb.js");
const { Empty } = require("google-protobuf/google/protobuf/empty_pb.js");
const { Struct } = require("google-protobuf/google/protobuf/struct_pb.js");
const things = require("../provider.cjs");

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const struct = (values) => Struct.fromJavaScript(JSON.parse(JSON.stringify(values)));
const plain = (message) => (message === undefined ? {} : message.toJavaScript());

function failures(list) {
  return list.map(({ property, reason }) => {
    const failure = new messages.CheckFailure();
    failure.setProperty(property);
    failure.setReason(reason);
    return failure;
  });
}

/** The details of an incomplete object. */
function unfinished({ id, properties, reasons, message }) {
  const detail = new messages.ErrorResourceInitFailed();
  detail.setId(id);
  detail.setProperties(struct(properties));
  detail.setReasonsList(reasons);
  const packed = new anyModule.Any();
  packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const whole = new status.Status();
  whole.setCode(grpc.status.UNKNOWN);
  whole.setMessage(message);
  whole.addDetails(packed);
  const metadata = new grpc.Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(whole.serializeBinary()));
  return { code: grpc.status.UNKNOWN, details: message, metadata };
}

function calls(env) {
  let config = {};
  const checked = (inputs, wrong = []) => {
    const response = new messages.CheckResponse();
    response.setInputs(struct(inputs));
    response.setFailuresList(failures(wrong));
    return response;
  };
  const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
  return {
    checkConfig(request) {
      const { token, ...inputs } = plain(request.getNews());
      const marked = typeof token === "string" && token !== unknown ? { ...mark, value: token } : token;
      const wrong = inputs.region === "nowhere" ? [{ property: "region", reason: "is no region" }] : [];
      return checked({ ...inputs, ...(token !== undefined && { token: marked }) }, wrong);
    },
    diffConfig(request) {
      const [olds, news] = [plain(request.getOlds()), plain(request.getNews())];
      const response = new messages.DiffResponse();
      response.setChanges(JSON.stringify(olds) === JSON.stringify(news) ? DIFF_NONE : DIFF_SOME);
      // An object of another account isn't found.
      response.setReplacesList(olds.account === news.account ? [] : ["account"]);
      return response;
    },
    configure(request) {
      config = { region: env.SCENE_REGION, ...plain(request.getArgs()) };
      const response = new messages.ConfigureResponse();
      response.setAcceptsecrets(true);
      response.setSupportspreview(true);
      return response;
    },
    async check(request) {
      const { inputs, failures: wrong } = await things.check(
        plain(request.getOlds()),
        plain(request.getNews()),
      );
      return checked(inputs, wrong);
    },
    async diff(request) {
      const [olds, news] = [plain(request.getOlds()), plain(request.getNews())];
      const { changes, replaces, deleteBeforeReplace } = await things.diff(request.getId(), olds, news);
      const response = new messages.DiffResponse();
      if (changes === undefined) return response;
      response.setChanges(changes ? DIFF_SOME : DIFF_NONE);
      response.setReplacesList(replaces);
      response.setDeletebeforereplace(deleteBeforeReplace);
      response.setHasdetaileddiff(true);
      for (const key of Object.keys({ ...olds, ...news })) {
        const isSame = JSON.stringify(olds[key]) === JSON.stringify(news[key]);
        if (isSame || ["made", "region", "silent"].includes(key)) continue;
        const detail = new messages.PropertyDiff();
        const { UPDATE, UPDATE_REPLACE } = messages.PropertyDiff.Kind;
        detail.setKind(replaces.includes(key) ? UPDATE_REPLACE : UPDATE);
        response.getDetaileddiffMap().set(key, detail);
      }
      return response;
    },
    async create(request) {
      const inputs = plain(request.getProperties());
      const response = new messages.CreateResponse();
      const { region } = config;
      if (request.getPreview()) {
        response.setProperties(struct({ ...inputs, made: unknown, region }));
        return response;
      }
      const { id, outs } = await things.create(inputs);
      response.setId(id);
      response.setProperties(struct({ ...outs, region }));
      return response;
    },
    async read(request) {
      const outputs = plain(request.getProperties());
      const found = await things.read(request.getId(), outputs);
      const response = new messages.ReadResponse();
      if (found.id === undefined) return response;
      response.setId(found.id);
      response.setProperties(struct({ ...found.props, region: outputs.region ?? config.region }));
      response.setInputs(struct(found.inputs));
      return response;
    },
    async update(request) {
      const [id, olds, news] = [request.getId(), plain(request.getOlds()), plain(request.getNews())];
      const { region } = config;
      const response = new messages.UpdateResponse();
      const { outs } = request.getPreview()
        ? { outs: { ...news, made: olds.made } }
        : await things.update(id, olds, news);
      response.setProperties(struct({ ...outs, region }));
      return response;
    },
    async delete(request) {
      await things.delete(request.getId());
      return new Empty();
    },
    invoke(request) {
      const { of } = plain(request.getArgs());
      const response = new messages.InvokeResponse();
      if (of === undefined) response.setFailuresList(failures([{ property: "of", reason: "is missing" }]));
      else {
        const by = config.version === undefined ? "" : ` by ${config.version}`;
        response.setReturn(struct({ seen: `${of} in ${config.region}${by}` }));
      }
      return response;
    },
    getPluginInfo() {
      const info = new plugin.PluginInfo();
      info.setVersion("1.0.0");
      return info;
    },
    cancel: () => new Empty(),
  };
}

/** Serves one provider; resolves with its port. */
exports.serve = (env = process.env) => {
  const server = new grpc.Server();
  const own = Object.entries(calls(env)).map(([name, work]) => [
    name,
    (call, callback) =>
      Promise.resolve()
        .then(() => work(call.request))
        .then(
          (response) => callback(null, response),
          (error) =>
            callback(
              error.reasons === undefined || error.properties?.__refused
                ? { code: error.code ?? grpc.status.UNKNOWN, details: error.message }
                : unfinished(error),
            ),
        ),
  ]);
  server.addService(services.ResourceProviderService, Object.fromEntries(own));
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
  });
};
