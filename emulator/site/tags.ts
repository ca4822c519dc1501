/** The platform's own tags. The Liquid library has the standard ones. */
import {
  type Context,
  type Emitter,
  type Liquid,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
  Value,
} from "liquidjs";
import type { Say } from "./globals.ts";
import { type Asked, type Paged, pageOf, perPage, wholeOf } from "./paging.ts";

type Scope = Record<string, unknown>;

/** A tag with an end tag and content between them. */
abstract class Block extends Tag {
  readonly inside: Template[] = [];

  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
    super(token, rest, liquid);
    const stream = liquid.parser.parseStream(rest);
    const stop = () => stream.stop();
    stream
      .on(`tag:end${this.name}`, stop)
      .on(`tag:end_${this.name}`, stop)
      .on("template", (template: Template) => void this.inside.push(template))
      .on("end", () => {
        throw new Error(`tag ${token.getText()} not closed`);
      });
    stream.start();
  }

  /** Renders the content with further variables. */
  *within(context: Context, emitter: Emitter, scope: Scope = {}) {
    context.push(scope);
    yield this.liquid.renderer.renderTemplates(this.inside, context, emitter);
    context.pop();
  }

  *textWithin(context: Context): Generator<unknown, string, string> {
    return yield this.liquid.renderer.renderTemplates(this.inside, context);
  }
}

/** A comment, which may contain others. */
class Comment extends Tag {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
    super(token, rest, liquid);
    for (let open = 1; open > 0; ) {
      const next = rest.shift();
      if (next === undefined) throw new Error(`tag ${token.getText()} not closed`);
      const name = "name" in next ? next.name : undefined;
      open += name === "comment" ? 1 : name === "endcomment" ? -1 : 0;
    }
  }

  render(): void {}
}

class Cache extends Block {
  *render(context: Context, emitter: Emitter) {
    yield* this.within(context, emitter);
  }
}

class IfChanged extends Block {
  *render(context: Context, emitter: Emitter) {
    const text = yield* this.textWithin(context);
    if (context.getRegister("ifchanged") !== text) emitter.write(text);
    context.setRegister("ifchanged", text);
  }
}

const element = (name: string) =>
  class Element extends Block {
    *render(context: Context, emitter: Emitter) {
      emitter.write(`<${name}>`);
      yield* this.within(context, emitter);
      emitter.write(`</${name}>`);
    }
  };

/** A form without a target, because the shop has no visitors. */
class Form extends Block {
  *render(context: Context, emitter: Emitter) {
    const form = { errors: [], posted_successfully: false, "posted_successfully?": false };
    emitter.write('<form method="post">');
    yield* this.within(context, emitter, { form });
    emitter.write("</form>");
  }
}

/** `{% paginate collection.products by 20 %}`: inside, the list is one page. */
const paginateIn = (asked: Asked) =>
  class Paginate extends Block {
    readonly #path: readonly string[];
    readonly #list: Value;
    readonly #size: Value;

    constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
      super(token, rest, liquid);
      // Without `by`, Liquid would read the list and ignore the rest.
      const [, list, size = String(perPage)] = /^\s*([\w.-]+)(?:\s+by\s+(\S+))?/.exec(token.args) ?? [];
      if (list === undefined || list === "by")
        throw new Error(`${token.getText()}: write {% paginate LIST by NUMBER %}`);
      this.#path = list.split(".");
      this.#list = new Value(list, liquid);
      this.#size = new Value(size, liquid);
    }

    *render(context: Context, emitter: Emitter): Generator<unknown, void, never> {
      const list: Paged<unknown> = (yield this.#list.value(context)) ?? [];
      const size = Math.trunc(Number(yield this.#size.value(context)));
      const { shown, paginate } = pageOf(wholeOf(list), asked, size >= 1 ? size : perPage);
      const [root = "", ...inner] = this.#path;
      // A list inside an object is replaced in a copy of the object.
      const copied = (value: unknown, [name, ...rest]: readonly string[]): unknown =>
        name === undefined
          ? shown
          : { ...(value as Scope), [name]: copied((value as Scope | undefined)?.[name], rest) };
      const own = copied(context.getSync([root]), inner);
      yield* this.within(context, emitter, { paginate, [root]: own });
    }
  };

/** `{% content_for 'title' %}` stores its content for the layout's `{% yield 'title' %}`. */
const contentForIn = (kept: Record<string, string>) =>
  class ContentFor extends Block {
    *render(context: Context) {
      kept[nameIn(this.token.args)] = yield* this.textWithin(context);
    }
  };

const yieldIn = (kept: Readonly<Record<string, string>>) =>
  class Yield extends Tag {
    readonly #name: string;

    constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
      super(token, rest, liquid);
      this.#name = nameIn(token.args);
    }

    render(context: Context, emitter: Emitter): void {
      const usual = this.#name === "" ? "content_for_layout" : this.#name === "title" ? "page_title" : "";
      emitter.write(kept[this.#name] ?? String(usual === "" ? "" : (context.getSync([usual]) ?? "")));
    }
  };

const nameIn = (args: string) => args.replace(/['"]/g, "").trim();

/** A tag that the embedded shop doesn't support. */
const left = (say: () => void) =>
  class Left extends Tag {
    render(): void {
      say();
    }
  };

export function registerTags(engine: Liquid, asked: Asked, say: Say): void {
  const widgets = left(() => say("widgets (widget_lists) are left out"));
  // Shared by the templates of one page: the layout shows what they stored.
  const kept: Record<string, string> = {};
  const tags = {
    cache: Cache,
    comment: Comment,
    content_for: contentForIn(kept),
    form: Form,
    ifchanged: IfChanged,
    include_insales_scripts: left(() =>
      say("the platform's own scripts (include_insales_scripts) are left out"),
    ),
    javascript: element("script"),
    paginate: paginateIn(asked),
    prefetch: left(() => {}),
    style: element("style"),
    widget: widgets,
    widgets_assets: widgets,
    yield: yieldIn(kept),
  };
  for (const [name, tag] of Object.entries(tags)) engine.registerTag(name, tag);
}
