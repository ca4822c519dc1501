// Notes of creates that can't be read: nobody waits for what they end, and everybody who needs them is told which file it is.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { resourceText } from "../../provider/lifecycle/lost.ts";
import { diskNoteFile } from "../../provider/run/note-file.ts";
import { openNotes } from "../../provider/run/notes.ts";

test("a file that can't be read is named; what ends notes says it once, and what asks for them fails", async () => {
  // A folder in a file's place: no right of any user opens it.
  const path = mkdtempSync(join(tmpdir(), "pulumi-shop-creates-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const said: string[] = [];
  const notes = openNotes(
    () => diskNoteFile(path),
    "1",
    (line) => said.push(line),
  );
  const text = expect.stringContaining(`the notes ${path} can't be read: EISDIR`);
  await notes.confirm("Coupon", "8841");
  await notes.end("Coupon", "dev::spring");
  expect(said).toEqual([text]);
  expect(() => notes.of("Coupon", "dev::spring")).toThrow(`the notes ${path} can't be read`);
});

test("a resource is called by its name, the last of its stack, what it stands in and itself; one without a stack isn't", () => {
  const of = (text: string) => resourceText({ of: text });
  expect([of("dev::sale"), of("dev::group::sale"), of("sale")]).toEqual([
    " (resource sale)",
    " (resource sale)",
    "",
  ]);
});
