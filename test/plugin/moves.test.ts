// Moving a stack from dynamic resources to the plugin and back leaves every object unchanged, with our engine and with
// pulumi if installed. The plugin is started from node_modules, as a project names it.
import { expect, test } from "vitest";
import { engines, type Form, openSeat, type Seat } from "../support/engines.ts";

const program = `import * as pulumi from "@pulumi/pulumi";
import { Asset, Coupon, File, getThemeOutput, Product } from "pulumi-shop";
new Product("mug", { title: "Mug", variants: [{ sku: "MUG-R", price: 7 }, { sku: "MUG-G", price: 8 }] });
new Coupon("spring", { code: "SPRING", discount: 10, typeId: 1 }, { protect: true });
new Coupon("staff", { code: "STAFF", discount: 30, typeId: 1, description: pulumi.secret("only for staff") });
new Asset("about", { themeId: getThemeOutput({ published: true }).id, type: "Asset::Snippet", name: "about.liquid", content: "Hi\\n" });
new File("terms", { content: "a,b\\n", filename: "terms.csv" });
`;
const stateOf = ({ terminal }: Seat) => terminal.read("backend/.pulumi/stacks/user/dev.json");

test.each(engines)(
  "a stack moves to the plugin and back without changes and without writes (%s)",
  async (engine) => {
    const seat = await openSeat({ engine, form: "dynamic" }, program);
    await seat.up();
    for (const form of ["plugin", "dynamic"] satisfies Form[]) {
      seat.use(form);
      const sent = await seat.world.during(async () =>
        expect(await seat.up()).toContain(engine === "embedded" ? "5 unchanged" : "6 unchanged"),
      );
      expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
      const state = stateOf(seat);
      expect(state).toContain(
        form === "dynamic" ? "pulumi-nodejs:dynamic/shop:Coupon" : '"shop:index:Coupon"',
      );
      expect(state).not.toContain("only for staff");
      expect(state.match(/"protect": ?true/g)).toHaveLength(1);
    }
    // A resource that moved back is deleted by the host of dynamic providers, with the state that the plugin wrote.
    seat.program(program.replace(", { protect: true }", ""));
    await seat.up();
    await seat.done(["destroy", "--yes", "--skip-preview"]);
    expect(seat.world.rows("discount_code")).toEqual([]);
  },
);

const tag = (content: string, provider: string) => `import { JsTag, Provider } from "pulumi-shop";
${provider}new JsTag("chat", { type: "JsTag::TextTag", name: "chat", content: "${content}" }${provider && ", { provider: own }"});
`;
const ownProvider = `const { SHOP_URL = "", SHOP_APPLICATION_ID = "", SHOP_PASSWORD } = process.env;
const own = new Provider("own", { url: SHOP_URL, applicationId: SHOP_APPLICATION_ID, password: SHOP_PASSWORD });
`;

test.each([
  ["the default provider", "", 3],
  ["a provider of its own", ownProvider, 4],
])(
  "a run that moves to the plugin and replaces an object sends the requests that it announced: %s",
  async (_what, provider, count) => {
    const seat = await openSeat({ engine: "embedded", form: "dynamic" }, tag("one()", ""));
    await seat.up();
    seat.use("plugin");
    seat.program(tag("two()", provider));
    const preview = await seat.world.during(async () =>
      expect(await seat.done(["preview"])).toContain(`API requests needed: at most ${count} `),
    );
    const sent = await seat.world.during(() => seat.up());
    expect(sent.slice(preview.length)).toHaveLength(count);
  },
);

test.each(engines)(
  "a plugin that pulumi package add wrote into Pulumi.yaml is the project's plugin (%s)",
  async (engine) => {
    const seat = await openSeat({ engine, form: "dynamic" }, program);
    await seat.up();
    const { terminal } = seat;
    const packages = "packages: { shop: ./node_modules/pulumi-shop/plugin }\n";
    terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + packages);
    expect(await seat.up()).toContain(engine === "embedded" ? "5 unchanged" : "6 unchanged");
    expect(stateOf(seat)).toContain('"shop:index:Coupon"');
  },
);

test.each(engines.flatMap((engine) => [false, true].map((isSecret) => ({ engine, isSecret }))))(
  "a sheet that restores keeps its prices where it gets another name in the run that moves to the plugin ($engine, secret: $isSecret)",
  async ({ engine, isSecret }) => {
    const sheet = (name: string) => `import * as pulumi from "@pulumi/pulumi";
import { Prices } from "pulumi-shop";
new Prices("${name}", { rows: ${isSecret ? "pulumi.secret" : ""}([{ sku: "CUP", price: 8 }, { sku: "POT", price: 8 }]), onRemove: "restore" });
`;
    const seat = await openSeat({ engine, form: "dynamic" }, sheet("sale"));
    const stocked = ["CUP", "POT"].map((sku) => ({ sku, price: 10 }));
    await seat.world.client.products.create({ title: "Cup", variants: stocked });
    await seat.up();
    seat.use("plugin");
    // Another resource takes over the objects, also of another kind.
    const mug =
      'new Product("cup", { adopt: "key", otherVariants: "keep", variants: [{ sku: "POT", price: 8 }] });';
    const moved = sheet("autumn")
      .replace(', { sku: "POT", price: 8 }', "")
      .replace("{ Prices }", "{ Prices, Product }");
    seat.program(`${moved}${mug}\n`);
    const prices = () =>
      seat.world
        .rows("product")
        .flatMap(({ variants }) => (variants as typeof stocked).map(({ price }) => Number(price)));
    let said = "";
    const sent = await seat.world.during(async () => {
      said = await seat.up();
    });
    expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
    expect(said.includes("1 row is taken over from sale, whose rows are secret")).toBe(isSecret);
    expect(prices()).toEqual([8, 8]);
    seat.program("export {};\n");
    await seat.up();
    // A state shows no values of a secret sheet: the sheet that took over its rows says so.
    expect(prices()).toEqual([isSecret ? 8 : 10, 8]);
  },
);

test.each(engines)(
  "a product with secret variants that takes over a sheet's row in the run that moves to the plugin keeps its price (%s)",
  async (engine) => {
    const sheet = `import { Prices } from "pulumi-shop";
new Prices("sale", { rows: [{ sku: "CUP", price: 8 }, { sku: "JUG", price: 8 }], onRemove: "restore" });
`;
    const seat = await openSeat({ engine, form: "dynamic" }, sheet);
    for (const sku of ["CUP", "JUG"])
      await seat.world.client.products.create({ title: sku, variants: [{ sku, price: 10 }] });
    await seat.up();
    seat.use("plugin");
    seat.program(`import * as pulumi from "@pulumi/pulumi";
import { Product } from "pulumi-shop";
new Product("cup", { adopt: "key", otherVariants: "keep", variants: pulumi.secret([{ sku: "CUP", price: 8 }]) });
`);
    await seat.up();
    const prices = seat.world
      .rows("product")
      .flatMap(({ variants }) =>
        (variants as readonly { price: string }[]).map(({ price }) => Number(price)),
      );
    expect(prices).toEqual([8, 10]);
  },
);
