/** Arguments, before anything is sent: all that is wrong with them at once, each with its path and what would be right. */
import { checkBody } from "../body/check.ts";
import {
  type Definition,
  type Field,
  type Fields,
  isArgument,
  isClientOnly,
  isRequired,
} from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import { joinedOutputs } from "./joined.ts";

export interface Failure {
  readonly property: string;
  readonly reason: string;
}

export interface Checked {
  /** The arguments, normalised: what equal programs mean has one spelling. */
  readonly inputs: Record<string, unknown>;
  readonly failures: readonly Failure[];
}

/** Where files are read from. */
export interface Project {
  /** The program's folder, absolute. */
  readonly folder: string;
  /** Whether a file may lie outside the program's folder (`shop:allowOutside`). */
  readonly allowOutside?: boolean | undefined;
  /** The stack's answer where a program says nothing of adoption (`shop:adopt`). */
  readonly adopt?: "key" | undefined;
}

/** Checks what a program wrote. Values that a preview doesn't know yet pass. */
export async function check(definition: Definition, news: Values, project: Project): Promise<Checked> {
  const { adopt, ...stated } = news;
  const written = Object.fromEntries(Object.entries(stated).filter(([name]) => !name.startsWith("__")));
  const failures: Failure[] = [];
  const inputs = checkFields(definition.fields, written, "", failures, definition.kind);
  // What the SDK says of the resource, which no program writes.
  for (const name of ["__of", "__secret", "__ignored"])
    if (news[name] !== undefined) inputs[name] = news[name];
  if (definition.body !== undefined) failures.push(...(await checkBody(definition, inputs, project)));
  if (adopt !== undefined) {
    failures.push(...checkAdopt(definition, adopt));
    inputs.adopt = adopt;
  }
  const joined = joinedOutputs({ ...written, adopt });
  // One thing is wrong with such a text, whatever else it would be besides.
  const others = failures.filter(({ property }) => !joined.some((one) => one.property === property));
  return { inputs, failures: [...joined, ...others] };
}

function checkFields(
  fields: Fields,
  written: Values,
  path: string,
  failures: Failure[],
  owner: string,
): Record<string, unknown> {
  const inputs: Record<string, unknown> = {};
  const known = Object.keys(fields).filter((name) => isArgument(fields[name] as Field));
  for (const name of Object.keys(written)) {
    if (!known.includes(name))
      failures.push({
        property: path + (name === "" ? '[""]' : name),
        reason: unknownArgument(fields, name, known, owner),
      });
  }
  for (const name of known) {
    const field = fields[name] as Field;
    const value = written[name];
    if (value === undefined || value === null) {
      if (isRequired(field)) failures.push({ property: path + name, reason: "is required" });
    } else {
      inputs[name] = checkField(field, value, path + name, failures, owner);
    }
  }
  return inputs;
}

function unknownArgument(fields: Fields, name: string, known: readonly string[], owner: string): string {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field !== undefined && !isClientOnly(field)) return "is given by the shop; a program can't set it";
  return `unknown argument; ${owner} accepts ${known.join(", ")}`;
}

function checkField(field: Field, value: unknown, path: string, failures: Failure[], owner: string): unknown {
  if (value === unknownValue) return value;
  const fields = field.items?.fields;
  if (fields !== undefined && Array.isArray(value)) {
    return value.map((entry, index) =>
      checkItem(fields, entry, `${path}[${index}]`, failures, `an item of ${owner}.${path}`),
    );
  }
  const result = field.argument.safeParse(value);
  if (result.success) return result.data;
  failures.push(...result.error.issues.map(({ message }) => ({ property: path, reason: message })));
  return value;
}

function checkItem(
  fields: Fields,
  entry: unknown,
  path: string,
  failures: Failure[],
  owner: string,
): unknown {
  if (entry === unknownValue) return entry;
  if (typeof entry === "object" && entry !== null && !Array.isArray(entry)) {
    return checkFields(fields, entry as Values, `${path}.`, failures, owner);
  }
  failures.push({ property: path, reason: "must be an object" });
  return entry;
}

function checkAdopt(definition: Definition, adopt: unknown): readonly Failure[] {
  if (adopt === unknownValue) return [];
  const property = "adopt";
  const keyed = definition.keys !== undefined || definition.singleton !== undefined;
  if (adopt === "key") {
    return keyed
      ? []
      : [
          {
            property,
            reason: `${definition.kind} has no natural key: use the id of the object to take over`,
          },
        ];
  }
  if (typeof adopt === "string" && /^\d+(\/\d+)?$/.test(adopt)) return [];
  return [
    {
      property,
      reason: `must be the id of the object to take over${keyed ? ', or "key" to find it by its natural key' : ""}`,
    },
  ];
}
