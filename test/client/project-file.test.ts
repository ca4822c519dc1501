// Files that a program names: only regular files of the project's folder, up to a maximum size.
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { bodyForRequest } from "../../provider/body/arguments.ts";
import { allowOutsideOf, fileFact, readBody } from "../../provider/body/body.ts";
import type { Definition } from "../../provider/definition/define.ts";
import { definitions } from "../../provider/resources/index.ts";
import { failureOf } from "./server.ts";

/** A project next to a file outside it. */
function openProject() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "pulumi-shop-files-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, "project");
  mkdirSync(join(folder, "files"), { recursive: true });
  mkdirSync(join(root, "project-other"));
  writeFileSync(join(folder, "files/a.txt"), "inside");
  writeFileSync(join(root, "secret.txt"), "outside");
  writeFileSync(join(root, "project-other/x.txt"), "outside");
  symlinkSync(join(root, "secret.txt"), join(folder, "link.txt"));
  symlinkSync(root, join(folder, "up"));
  symlinkSync(join(folder, "files"), join(folder, "same"));
  symlinkSync(join(folder, "round"), join(folder, "round"));
  return { root, folder };
}

describe("a file inside the project", () => {
  test.each(["files/a.txt", "./files/../files/a.txt", "same/a.txt", "up/project/files/a.txt"])(
    "%s is read",
    async (path) => {
      const { folder } = openProject();
      expect((await readBody(path, folder)).text).toBe("inside");
    },
  );

  test("a file is read by its absolute path, also through a linked folder", async () => {
    const { root, folder } = openProject();
    symlinkSync(folder, join(root, "alias"));
    expect((await readBody(join(folder, "files/a.txt"), folder)).text).toBe("inside");
    expect((await readBody(join(folder, "files/a.txt"), join(root, "alias"))).text).toBe("inside");
    expect(await fileFact(join(folder, "files/a.txt"), folder)).toMatchObject({
      path: "files/a.txt",
      size: 6,
    });
  });

  test("a file's name may start with two periods", async () => {
    const { folder } = openProject();
    writeFileSync(join(folder, "..a"), "inside");
    expect((await readBody("..a", folder)).text).toBe("inside");
  });
});

describe("a file outside the project", () => {
  test.each(["../secret.txt", "link.txt", "up/secret.txt", "../project-other/x.txt", "../nowhere.txt"])(
    "%s is not read, and the setting that permits it is named",
    async (path) => {
      const { folder } = openProject();
      for (const stated of path.startsWith("..") ? [path, join(folder, path)] : [path]) {
        const { message } = await failureOf(readBody(stated, folder));
        expect(message).toContain(`can't read ${stated}: it is outside the project's folder`);
        expect(message).toContain("shop:allowOutside");
        expect(message).toContain("SHOP_ALLOW_OUTSIDE=true");
      }
    },
  );

  test("a file outside the project is neither sent nor recorded in the state", async () => {
    const { folder } = openProject();
    const file = definitions.files as unknown as Definition;
    await expect(fileFact("link.txt", folder)).rejects.toThrow("outside the project");
    await expect(
      bodyForRequest(file, { file: { path: "link.txt", size: 7, sha256: "x" } }, folder),
    ).rejects.toThrow("outside the project");
  });

  test.each(["../secret.txt", "link.txt"])(
    "%s outside the project is read if that is permitted",
    async (path) => {
      const { folder } = openProject();
      expect((await readBody(path, folder, true)).text).toBe("outside");
      expect((await fileFact(path, folder, true)).path).toBe(path);
    },
  );

  test.skipIf(process.platform !== "linux").each(["/proc/self/environ", "/dev/zero"])(
    "%s is never read",
    async (path) => {
      const { folder } = openProject();
      await expect(readBody(path, folder, true)).rejects.toThrow("not a regular file");
      await expect(readBody(relative(folder, path), folder)).rejects.toThrow("outside the project");
    },
  );
});

describe("what is no file to send", () => {
  test.skipIf(process.platform === "win32")("a pipe is refused and not waited for", async () => {
    const { folder } = openProject();
    execFileSync("mkfifo", [join(folder, "pipe")]);
    await expect(readBody("pipe", folder)).rejects.toThrow("can't read pipe: it is not a regular file");
  });

  test.each([
    ["files", "it is a folder"],
    ["missing.txt", "there is no such file"],
    ["files/a.txt/b", "there is no such file"],
    ["round", "links lead in a circle"],
  ])("%s: %s", async (path, why) => {
    const { folder } = openProject();
    await expect(readBody(path, folder)).rejects.toThrow(why);
  });

  test("a file that is too large is rejected with its size, without reading it", async () => {
    const { folder } = openProject();
    writeFileSync(join(folder, "large"), "");
    truncateSync(join(folder, "large"), 600 * 1024 * 1024);
    await expect(readBody("large", folder)).rejects.toThrow(
      "it has 600 MB, and a file to upload may have at most 64 MB",
    );
  });
});

test("the configuration of shop:allowOutside takes precedence over the environment", () => {
  expect(allowOutsideOf({ env: {} })).toBe(false);
  expect(allowOutsideOf({ env: { SHOP_ALLOW_OUTSIDE: "true" } })).toBe(true);
  expect(allowOutsideOf({ config: () => "false", env: { SHOP_ALLOW_OUTSIDE: "true" } })).toBe(false);
  expect(() => allowOutsideOf({ env: { SHOP_ALLOW_OUTSIDE: "yes" } })).toThrow("true or false");
});
