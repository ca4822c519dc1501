/** Helpers for the tests' programs. */
const pulumi = require("@pulumi/pulumi");

const provider = `exports.handler = () => require(${JSON.stringify(require.resolve("./provider.cjs"))})`;

class Thing extends pulumi.CustomResource {
  constructor(name, inputs = {}, options) {
    super(
      "pulumi-nodejs:dynamic/scene:Thing",
      name,
      { label: name, ...inputs, made: undefined, __provider: provider },
      options,
    );
  }
  static get(name, id, options) {
    return new Thing(name, {}, { ...options, id });
  }
}

/** A resource of the plugin (plugin/server.cjs), which the project names under plugins.providers. */
class Plugged extends pulumi.CustomResource {
  constructor(name, inputs = {}, options) {
    super("scene:index:Thing", name, { label: name, ...inputs, made: undefined, region: undefined }, options);
  }
}

class Provider extends pulumi.ProviderResource {
  constructor(name, inputs, options) {
    super("scene", name, inputs, options);
  }
}

class Group extends pulumi.ComponentResource {
  constructor(name, fill = () => {}, options) {
    super("scene:index:Group", name, {}, options);
    this.registerOutputs(fill(this) ?? {});
  }
}

module.exports = { pulumi, Thing, Plugged, Provider, Group, config: new pulumi.Config() };
