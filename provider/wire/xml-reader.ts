/** Reads XML into structure by saxes, which is strict and takes time by the text's length; what grows is bounded here. */
import { SaxesParser } from "saxes";
import { type Document, DocumentError, type Wire } from "./document.ts";

/** Deeper than any document of the interface; beyond it a document is an attack. */
export const deepest = 50;
/** A page of 250 products with fifty variants each has fewer; a value takes many times the memory of its text. */
export const mostElements = 500_000;
/** The interface's tags have type and nil. */
const mostAttributes = 100;

interface Element {
  readonly name: string;
  readonly value: Record<string, string | Wire[]>;
  text: string;
}

// interface.md mixes hyphens and underscores (asset_url): inside there is one spelling.
const spelled = (raw: string) => raw.replaceAll("_", "-");

/** @throws DocumentError where it is malformed, declares a document type, or is beyond the bounds */
export function readXml(body: string): Document {
  const refuse = (why: string): never => {
    throw new DocumentError(why);
  };
  const parser = new SaxesParser();
  const open: Element[] = [];
  let elements = 0;
  let attributes = 0;
  let root: Document | undefined;
  parser.on("error", ({ message }) => refuse(`it is not well-formed XML: ${message.replace(/\.$/, "")}`));
  parser.on("doctype", () => refuse("it declares a document type, which the interface never does"));
  parser.on("opentagstart", () => {
    elements += 1;
    attributes = 0;
    if (elements > mostElements) refuse(`it has more than ${mostElements} elements`);
    if (open.length === deepest) refuse(`it nests deeper than ${deepest}`);
  });
  parser.on("attribute", () => {
    attributes += 1;
    if (attributes > mostAttributes) refuse(`it has a tag with more than ${mostAttributes} attributes`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    const value: Element["value"] = {};
    for (const [key, text] of Object.entries(attributes)) value[`@${key}`] = String(text);
    open.push({ name: spelled(name), value, text: "" });
  });
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const closed = open.pop();
    if (closed === undefined) return;
    const { name, value, text } = closed;
    const parent = open.at(-1);
    const hasOnlyText = Object.keys(value).length === 0;
    if (!hasOnlyText && text !== "") value["#text"] = text;
    const wire = hasOnlyText ? text : value;
    if (parent === undefined) root = { root: name, value: wire };
    // An element may be called constructor; none is called __proto__, for it is spelled with hyphens.
    else {
      const there = Object.hasOwn(parent.value, name) ? parent.value[name] : undefined;
      if (Array.isArray(there)) there.push(wire);
      else parent.value[name] = [wire];
    }
  });
  parser.write(body).close();
  return root ?? refuse("it has no root element");
}
