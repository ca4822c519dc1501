/**
 * Aliases of a resource under both of its types, dynamic and plugin, so that a stack can change its form and its names
 * in one run.
 */
import * as pulumi from "@pulumi/pulumi";
import { parseUrn, refuseNoUrn, typeOf } from "../engine/pulumi/urn.ts";
import { otherType } from "../provider/names/types.ts";

type Given = pulumi.URN | pulumi.Alias;

/**
 * The program's aliases, each also with the other type, and the resource's own name with the other type.
 * @param type the type that the resource has now
 */
export function inBothForms(type: string, given: readonly pulumi.Input<Given>[] = []): pulumi.Input<Given>[] {
  const others = given.map((one) =>
    pulumi.Output.isInstance(one) || one instanceof Promise
      ? pulumi.output(one).apply((known) => inOtherForm(type, known as Given))
      : inOtherForm(type, one),
  );
  return [...given, ...others, { type: otherType(type) }];
}

function inOtherForm(type: string, alias: Given): Given {
  if (typeof alias !== "string")
    return { ...alias, type: pulumi.output(alias.type ?? type).apply(otherType) };
  refuseNoUrn(alias);
  const { types } = parseUrn(alias);
  const own = typeOf(alias);
  return alias.replace(`::${types}::`, () => `::${types.slice(0, -own.length)}${otherType(own)}::`);
}
