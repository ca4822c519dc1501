// Whatever comes in - documents, arguments, states, configuration, tables, requests - ends in a value or in a clear
// error, in bounded time; never in a crash and never in a silent default.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { diskFiles } from "../../engine/common/disk.ts";
import { openProject } from "../../engine/project/project.ts";
import { openConfig } from "../../engine/project/stack-file.ts";
import { readJournal } from "../../engine/pulumi/journal.ts";
import { fold } from "../../engine/state/journal-writer.ts";
import { parseSnapshot, type State } from "../../engine/state/snapshot.ts";
import { liquidProblems } from "../../examples/storefront/liquid.ts";
import { readProducts } from "../../examples/storefront/products.ts";
import { readSettings } from "../../examples/storefront/settings.ts";
import { decodeText } from "../../examples/storefront/text-file.ts";
import { check } from "../../provider/change/check.ts";
import type { Definition } from "../../provider/definition/define.ts";
import { isRead } from "../../provider/definition/field.ts";
import { definitions } from "../../provider/resources/index.ts";
import { decode, hyphenated } from "../../provider/wire/codec.ts";
import { DocumentError, parse, parseJson } from "../../provider/wire/xml.ts";
import { openWorld, resources } from "../support/world.ts";

const all = Object.values(definitions) as readonly Definition[];

/** A value, or an error of ours; anything else is a crash. */
function calm(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    expect(error.message.length).toBeGreaterThan(5);
    expect(error.message.length).toBeLessThan(400);
  }
}

const elements = all.flatMap(({ one, many, fields }) => [one, many, ...Object.keys(fields)]);
const junk = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom("", " ", "<", "&", "]]>", "\u0000", "true", "1e999", "-0", "2024-13-45"),
);
const tree: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    junk.map((text) => text.replaceAll("<", "&lt;")),
    fc
      .tuple(
        fc.constantFrom(...elements),
        fc.constantFrom("", ' type="array"', ' nil="true"', ' type="integer"'),
        fc.array(tie("node"), { maxLength: 4 }),
      )
      .map(([name, attributes, children]) => `<${name}${attributes}>${children.join("")}</${name}>`),
  ),
})).node;

describe("documents of a shop", () => {
  test("any text is read or refused", () => {
    fc.assert(fc.property(junk, (text) => calm(() => parse(text))));
    fc.assert(fc.property(junk, (text) => calm(() => parseJson(text, "x"))));
  });

  test("any tree of known elements decodes or is refused, for every kind", () => {
    for (const definition of all)
      fc.assert(
        fc.property(tree, (inner) =>
          calm(() => decode(definition, parse(`<${definition.one}>${inner}</${definition.one}>`).value)),
        ),
        { numRuns: 60 },
      );
  });

  test.each(all.map((definition) => [definition.one, definition] as const))(
    "%s: any text of any field is read or told, and the rest of the object is read",
    (_one, definition) => {
      for (const [name, field] of Object.entries(definition.fields)) {
        if (!isRead(field) || field.items !== undefined || field.type === "nested") continue;
        const read = (text: string) => {
          const told: string[] = [];
          const wire = { id: ["7"], [field.read ?? hyphenated(name)]: [text] };
          const { values } = decode(definition, wire, (error) => told.push(error.message));
          return { id: values.id, told };
        };
        fc.assert(fc.property(junk, (text) => read(text).id === 7));
        expect(read("maybe").told, name).toHaveLength(field.type === "text" ? 0 : 1);
      }
    },
  );

  test("any JSON decodes or is refused, for every kind", () => {
    for (const definition of all)
      fc.assert(
        fc.property(fc.json(), (text) => calm(() => decode(definition, parseJson(text, definition.one)))),
        { numRuns: 60 },
      );
  });

  test("a document that is cut anywhere is refused", () => {
    const whole = '<coupon><code>A</code><discount type="decimal">1.0</discount></coupon>';
    for (let end = 0; end < whole.length; end += 1)
      expect(() => parse(whole.slice(0, end)), whole.slice(0, end)).toThrow(DocumentError);
  });

  test.each([
    [
      "an entity bomb",
      `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><x>&b;&b;</x>`,
    ],
    ["an external entity", `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>`],
    ["a nest of 100,000", `${"<a>".repeat(100_000)}${"</a>".repeat(100_000)}`],
    ["two roots", "<a/><b/>"],
    ["a value twice", "<coupon><code>A</code><code>B</code></coupon>"],
  ])("%s is refused", (_name, text) => {
    expect(() => decode(definitions.coupons as unknown as Definition, parse(text).value)).toThrow(
      DocumentError,
    );
  });

  test("an answer that never ends is not read to its end", async () => {
    const { createServer } = await import("node:http");
    const { openClient } = await import("../../provider/client/index.ts");
    let sent = 0;
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/xml" });
      const chunk = Buffer.alloc(1 << 20, "<a>");
      const more = () => {
        while (!response.destroyed && sent < 200) {
          sent += 1;
          if (!response.write(chunk)) return response.once("drain", more);
        }
        return response.end();
      };
      more();
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    const client = openClient(
      { url: `http://127.0.0.1:${port}`, applicationId: "x", password: "0".repeat(32) },
      { clock: { now: Date.now, wait: async () => {} } },
    );
    onTestFinished(async () => {
      await client.transport.close();
      server.close();
      server.closeAllConnections();
    });
    await expect(client.coupons.remove({ id: 1 })).rejects.toThrow();
    expect(sent).toBeLessThan(100);
  });
});

describe("arguments of a program", () => {
  test.each(resources)("$kind: anything at all is checked, and nothing is thrown", async (definition) => {
    const names = Object.keys(definition.fields);
    const value = fc.anything({ maxDepth: 3, withBigInt: false, withDate: false });
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.oneof(fc.constantFrom(...names, "adopt"), fc.string()), value),
        async (news) => {
          const { failures } = await check(definition, news, { folder: "/nowhere" });
          for (const { property, reason } of failures) {
            expect(property.length).toBeGreaterThan(0);
            expect(reason.length).toBeGreaterThan(5);
          }
        },
      ),
    );
  });
});

describe("states and journals", () => {
  const shut = () => {
    throw new Error("incorrect passphrase");
  };
  const state = JSON.stringify({
    version: 3,
    checkpoint: {
      stack: "dev",
      latest: {
        manifest: {},
        resources: [{ urn: "urn:pulumi:a::b::c::d", type: "c", custom: true, inputs: { a: [1] } }],
      },
    },
  });
  const named = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      expect(error).not.toBeInstanceOf(TypeError);
      expect((error as Error).message).toContain("state.json");
    }
  };

  test("that are cut, changed or anything at all are read or refused by name", () => {
    for (let end = 0; end < state.length; end += 1)
      named(() => parseSnapshot(state.slice(0, end), "state.json", shut));
    fc.assert(fc.property(fc.json(), (text) => named(() => parseSnapshot(text, "state.json", shut))));
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom("version", "checkpoint", "latest", "resources"),
        (value, key) => {
          const file = JSON.parse(state, (name, old) => (name === key ? value : old)) as unknown;
          named(() => parseSnapshot(JSON.stringify(file), "state.json", shut));
        },
      ),
    );
  });

  test("a journal that is cut anywhere gives what was whole", () => {
    const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-journal-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "journal");
    const resource = (name: string) => ({ urn: `urn:pulumi:a::b::c::${name}`, type: "c", custom: true });
    const text = [
      { journal: 1, base: "none" },
      { begin: 1, type: "creating", resource: resource("x") },
      { put: resource("x"), end: 1 },
      { drop: resource("x").urn },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join("");
    for (let end = 0; end <= text.length; end += 1) {
      writeFileSync(path, text.slice(0, end));
      const { entries } = readJournal<State>(diskFiles, path) ?? { entries: [] };
      // The first line says what the journal continues from.
      expect(entries.length).toBe(Math.max(0, text.slice(0, end).split("\n").length - 2));
      fold({ resources: [], pending: [] }, entries);
    }
  });
});

test("any configuration is read or refused with the file's name", () => {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "Pulumi.yaml"), "name: x\nruntime: nodejs\n");
  const project = openProject(folder);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.constantFrom(
          "config: 7",
          "*!",
          "config:\n  a: {secure: x}",
          "- a",
          "config:\n  'x:y': [1, {secure: v1:a:b}]",
          "encryptionsalt: nonsense\nconfig:\n  a: {secure: x}",
        ),
      ),
      (text) => {
        writeFileSync(join(folder, "Pulumi.dev.yaml"), text);
        try {
          openConfig(project, "dev", () => "x");
        } catch (error) {
          expect(error, text).not.toBeInstanceOf(TypeError);
          expect((error as Error).message, text).toMatch(/Pulumi\.dev\.yaml|encryptionsalt|passphrase|v1:/);
        }
      },
    ),
    { numRuns: 60 },
  );
});

describe("what the storefront reads", () => {
  test("any table, template, setting and byte gives objects or problems", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.array(fc.string())).map((rows) => rows.map((row) => row.join(",")).join("\n")),
        ),
        (csv) => {
          const problems: string[] = [];
          const products = readProducts(csv, "products.csv", problems);
          expect(products.length > 0 || problems.length > 0).toBe(true);
          for (const problem of problems) expect(problem).toContain("products.csv");
        },
      ),
    );
    fc.assert(fc.property(fc.string(), (text) => void liquidProblems(text)));
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom("year", "season", "discountCeiling", "banner", "monthly", "testCharges"),
          fc.string(),
        ),
        (values) => {
          readSettings((key) => values[key], []);
        },
      ),
    );
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const problems: string[] = [];
        decodeText("a.liquid", bytes, problems);
      }),
    );
  });
});

describe("the embedded shop", () => {
  test("answers any request with a status, and goes on", async () => {
    const world = await openWorld();
    const path = fc.oneof(
      fc.constantFrom(
        "/admin/products.xml",
        "/admin/discount_codes.xml",
        "/admin/products/1/variants/2.xml",
        "/admin/files.xml?page=-1&per_page=x",
        "/admin/price_kinds.json",
        "/_control/objects",
        "/%00",
        "/admin/../_control/reset",
      ),
      fc.webPath(),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("GET", "POST", "PUT", "DELETE"),
        path,
        fc.oneof(tree, fc.json(), junk),
        fc.constantFrom("application/xml", "application/json", "text/plain"),
        async (method, target, body, type) => {
          const response = await world.ask(
            method,
            target === "" ? "/" : target,
            method === "GET" ? undefined : body,
            { "content-type": type },
          );
          expect(response.status).toBeLessThan(500);
          await response.arrayBuffer();
        },
      ),
      { numRuns: 150 },
    );
    expect(await world.client.themes.list()).toHaveLength(2);
  });

  test("survives what is no HTTP", async () => {
    const world = await openWorld();
    const { port } = new URL(world.url);
    for (const bytes of [
      "\u0000\u0001\u0002",
      "GET / HTTP/9.9\r\n\r\n",
      `GET / HTTP/1.1\r\n${"x: y\r\n".repeat(10_000)}\r\n`,
      "POST /admin/products.xml HTTP/1.1\r\ncontent-length: -5\r\n\r\n",
    ]) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), "127.0.0.1", () => socket.write(bytes));
        socket
          .resume()
          .once("close", () => resolve())
          .once("error", () => {});
        socket.end();
      });
    }
    expect(await world.client.themes.list()).toHaveLength(2);
  });
});
