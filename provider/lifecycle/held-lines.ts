/**
 * Lines of a preview for an engine that tells the plugin only in create, update and invoke whether it previews: what check
 * and diff say waits for that call.
 */

import { type Shop, seenAs } from "../context/context.ts";
import { resourceOf } from "../names/owner.ts";
import type { Values } from "../wire/codec.ts";
import type { Lifecycle } from "./lifecycle.ts";

type Open = (shop: Shop) => Lifecycle;

export function withHeldLines(kind: string, open: Open): Open {
  return (shop) => {
    if (shop.plan.isPreview !== undefined) return open(shop);
    const { heldLines, told } = shop.memory;
    const verbs = open(shop);
    const held = (args: Values): Lifecycle => {
      const resource = resourceOf(kind, args);
      const lines = heldLines.get(resource) ?? new Set();
      heldLines.set(resource, lines);
      return open(seenAs(shop, { sayInPreview: (line) => void lines.add(line) }));
    };
    const release = (args: Values) => {
      const resource = resourceOf(kind, args);
      const lines = heldLines.get(resource) ?? [];
      heldLines.delete(resource);
      if (told.isPreview === false) return;
      for (const line of lines) shop.sayInPreview(line);
    };
    return {
      ...verbs,
      check: (olds, news) => held(news).check(olds, news),
      async diff(id, olds, args) {
        const verdict = await held(args).diff(id, olds, args);
        // No call follows. Before the first one for any resource, a run repeats what its preview said.
        if (verdict.type === "none") release(args);
        return verdict;
      },
      preview(news, updated) {
        told.isPreview = true;
        release(news);
        return verbs.preview(news, updated);
      },
      create(args) {
        told.isPreview = false;
        release(args);
        return verbs.create(args);
      },
      update(id, olds, args) {
        told.isPreview = false;
        release(args);
        return verbs.update(id, olds, args);
      },
    };
  };
}
