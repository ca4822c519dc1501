/**
 * A dynamic provider for tests, with its objects as files in cloud/. It writes each call to calls.log. Faults are in
 * world.json: {"create a": {"error": "no"}}, by operation and label.
 */
const { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require("node:fs");

const hidden = new Set(["__provider", "label"]);
const shown = (properties) =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(properties)
        .filter(([key]) => !hidden.has(key))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  );
const log = (line) => appendFileSync("calls.log", `${line}\n`);
const file = (id) => `cloud/${id}.json`;

/** Logs a call and returns its fault in world.json. */
function begin(verb, label, rest) {
  log([verb, label, ...rest].join(" "));
  const world = existsSync("world.json") ? JSON.parse(readFileSync("world.json", "utf8")) : {};
  const rule = world[`${verb} ${label}`] ?? {};
  if (rule.error !== undefined) throw new Error(rule.error);
  if (rule.refused !== undefined) throw refusal(rule.refused);
  stop(rule, "before");
  if (rule.kill !== undefined) process.kill(readFileSync(rule.kill, "utf8").trim() * 1, "SIGKILL");
  if (rule.exit !== undefined) process.exit(rule.exit);
  return rule;
}

/** Asks the test to stop the engine before or after the effect of this call, and waits for that. */
function stop({ stops, kills }, when) {
  if (stops !== when) return;
  writeFileSync("stop-asked", "");
  const turn = new Int32Array(new SharedArrayBuffer(4));
  // The next run removes both, as does the end of the test.
  while (existsSync("stop-asked") && !existsSync("stop-done")) Atomics.wait(turn, 0, 0, 5);
  if (kills) process.exit(1);
}

/** A refusal: the embedded engine recognises it, Pulumi treats it as a failure. */
function refusal(message) {
  const error = new Error(message);
  if (process.env.PULUMI_EMBEDDED_ENGINE === undefined) return error;
  return Object.assign(error, {
    code: 9,
    id: "refused",
    properties: { __refused: true },
    reasons: [message],
  });
}

function fresh(label) {
  const lines = existsSync("calls.log") ? readFileSync("calls.log", "utf8").split("\n") : [];
  return `${label}-${lines.filter((line) => line.startsWith(`create ${label} `)).length}`;
}

function keep(id, inputs) {
  const { __provider, ...properties } = inputs;
  const outputs = { ...properties, made: `${id}!` };
  mkdirSync("cloud", { recursive: true });
  writeFileSync(file(id), JSON.stringify(outputs));
  return outputs;
}

function partly(rule, id, outputs) {
  if (rule.reasons === undefined) return;
  // A value that no message can contain, if the test wants that.
  const properties = rule.unsayable === undefined ? outputs : { ...outputs, parts: [{ color: undefined }] };
  throw Object.assign(new Error("half made"), { id, properties, reasons: rule.reasons });
}

exports.check = async (olds, news) => {
  const rule = begin("check", news.label, []);
  const takes =
    news.adopt !== undefined && olds.adopt === undefined && process.env.PULUMI_EMBEDDED_ENGINE !== undefined;
  return {
    inputs: {
      ...news,
      ...rule.inputs,
      ...(takes && { __takes: { id: news.adopt, inputs: news, olds: {} } }),
    },
    failures: rule.failures ?? [],
  };
};

// A change of `key` replaces; `first` deletes before; changes of `silent` aren't reported.
exports.diff = async (id, olds, news) => {
  const rule = begin("diff", id, []);
  if (rule.answer !== undefined) return rule.answer;
  const { made, silent, region, __provider, ...before } = olds;
  const { silent: _silent, __provider: _provider, ...after } = news;
  const sorted = (properties) => JSON.stringify(Object.entries(properties).sort());
  return {
    changes: sorted(before) !== sorted(after),
    replaces: JSON.stringify(olds.key) === JSON.stringify(news.key) ? [] : ["key"],
    deleteBeforeReplace: news.first === true,
  };
};

exports.create = async (inputs) => {
  const rule = begin("create", inputs.label, [shown(inputs)]);
  // `adopt` adopts an existing object by its id.
  const id = inputs.adopt ?? fresh(inputs.label);
  const outputs = keep(id, inputs);
  stop(rule, "after");
  if (rule.late !== undefined) throw new Error(rule.late);
  partly(rule, id, outputs);
  return { id, outs: outputs };
};

exports.read = async (id, outputs) => {
  const rule = begin("read", id, []);
  if (!existsSync(file(id))) return {};
  const { made, ...inputs } = JSON.parse(readFileSync(file(id), "utf8"));
  return { id, props: { ...outputs, ...inputs, made }, ...(rule.bare ? {} : { inputs }) };
};

exports.update = async (id, _olds, news) => {
  const rule = begin("update", id, [shown(news)]);
  const outputs = keep(id, news);
  stop(rule, "after");
  partly(rule, id, outputs);
  return { outs: outputs };
};

exports.delete = async (id) => {
  const rule = begin("delete", id, []);
  rmSync(file(id), { force: true });
  stop(rule, "after");
};
