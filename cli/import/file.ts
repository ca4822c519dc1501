/** Pulumi's own format of what to import (pulumi import --file, pulumi preview --import-file). */

import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isRecord } from "../../engine/pulumi/record.ts";
import { wrong } from "../exit.ts";

/** One entry of a file; the types of the fields are not checked yet. */
interface Entry {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly id?: unknown;
  readonly parent?: unknown;
  readonly provider?: unknown;
  readonly logicalName?: unknown;
}

/** What of Pulumi's format says nothing here: the plugin is the one that Pulumi.yaml names. */
const ignored = ["version", "pluginDownloadUrl"];
const known = [...ignored, "type", "name", "id", "parent", "provider", "logicalName"];

export interface Listed {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  /** What the others of the file call it. */
  readonly variable: string;
  readonly parent: string | undefined;
  readonly provider: string | undefined;
}

/** Entries in an order in which each follows its parent. @throws CommandError for two that are each other's parents */
export function parentsFirst(file: string, all: readonly Listed[]): readonly Listed[] {
  const sorted: Listed[] = [];
  for (let left = all; left.length > 0; ) {
    const waits = ({ parent }: Listed) => left.some(({ variable }) => variable === parent);
    const ready = left.filter((one) => !waits(one));
    if (ready.length === 0)
      throw wrong(`${file}: these are each other's parents: ${left.map(({ name }) => name).join(", ")}`);
    sorted.push(...ready);
    left = left.filter(waits);
  }
  return sorted;
}

/** @throws CommandError that says what is wrong with the file */
export function readImportFile(file: string): {
  readonly nameTable: Readonly<Record<string, string>>;
  readonly resources: readonly Listed[];
} {
  if (!existsSync(resolve(file))) throw wrong(`${file}: there is no such file`);
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(resolve(file), "utf8"));
  } catch (error) {
    throw wrong(`${file} is not JSON: ${(error as Error).message}`);
  }
  const { nameTable = {}, resources } = isRecord(read) ? read : {};
  if (!isRecord(nameTable) || !Object.values(nameTable).every((urn) => typeof urn === "string"))
    throw wrong(`${file}: nameTable must be an object of URNs by name`);
  if (!Array.isArray(resources) || resources.length === 0)
    throw wrong(`${file}: resources must be a list of {type, name, id}`);
  return {
    nameTable: nameTable as Readonly<Record<string, string>>,
    resources: resources.map((entry: unknown, index) => listedOf(`${file}: resource ${index + 1}`, entry)),
  };
}

function listedOf(where: string, entry: unknown): Listed {
  if (!isRecord(entry)) throw wrong(`${where} must be an object of type, name and id`);
  const unsupported = Object.keys(entry).filter((key) => !known.includes(key) && entry[key] !== false);
  if (unsupported.length > 0)
    throw wrong(`${where}: ${unsupported.join(", ")} can't be used here; it takes ${known.join(", ")}`);
  const { type, id, parent, provider, logicalName, name = logicalName } = entry as Entry;
  const text = (key: string, value: unknown): string => {
    if (typeof value === "string" && value !== "") return value;
    throw wrong(`${where} has no ${key}`);
  };
  const maybe = (key: string, value: unknown) => (value === undefined ? undefined : text(key, value));
  return {
    type: text("type", type),
    name: text("name", logicalName ?? name),
    variable: text("name", name),
    id: text("id", id),
    parent: maybe("parent", parent),
    provider: maybe("provider", provider),
  };
}
