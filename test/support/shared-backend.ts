/**
 * A backend that no file of ours reaches, as a bucket is: known only to the `pulumi` on PATH. That is the real one
 * where it is installed, and otherwise our own engine on the folder behind the bucket.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../cli/terminal.ts";

export const bucket = "s3://our-states?region=eu-central-1";

const realPulumi = spawnSync("sh", ["-c", "command -v pulumi"], { encoding: "utf8" }).stdout.trim();

/** What of pulumi's commands a stack with a plan needs, by our own engine; nothing else is there. */
const standIn = `
args="$*"; verb=$1; shift; stack=
while [ $# -gt 0 ]; do
  case "$1" in
    --stack) stack=\${2##*/}; shift ;;
  esac
  shift
done
case "$args" in
  "stack --show-name") echo dev ;;
  "stack export "*)
    state=$(ls "$FOLDER"/.pulumi/stacks/*/"$stack.json" 2>/dev/null) || { echo "error: no stack named '$stack' found" >&2; exit 6; }
    node -e 'const { version, checkpoint } = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")); console.log(JSON.stringify({ version, deployment: checkpoint.latest }))' "$state" ;;
  "stack init "*)
    stacks="$FOLDER/.pulumi/stacks/$(sed -n 's/^name: *//p' Pulumi.yaml)"; mkdir -p "$stacks"
    echo '{"version":3,"checkpoint":{"latest":{}}}' > "$stacks/\${args##* }.json" ;;
  preview*|refresh*) exec node "${join(root, "dist/cli/main.js")}" "$verb" --stack "$stack" ;;
  up*|destroy*) exec node "${join(root, "dist/cli/main.js")}" "$verb" --stack "$stack" --yes ;;
  *) echo "the stand-in for pulumi knows nothing of: $args" >&2; exit 1 ;;
esac
`;

/**
 * Puts a `pulumi` that reaches the bucket into a folder.
 * @param home where it notes what it is asked (\`pulumi.log\`), and where the bucket's folder is
 * @param answer what it does, whatever it is asked; as pulumi does when left out
 * @returns the variables of a shell that has it
 */
export function openBucket(home: string, path: string, answer?: string) {
  const folder = join(home, "bucket");
  const bin = join(home, "pulumi-bin");
  mkdirSync(folder, { recursive: true });
  mkdirSync(bin, { recursive: true });
  const log = join(home, "pulumi.log");
  const command = answer ?? (realPulumi === "" ? standIn : `exec "${realPulumi}" "$@"\n`);
  const script = `#!/bin/sh
FOLDER="${folder}"
echo "$@" >> "${log}"
test "$PULUMI_BACKEND_URL" = "${bucket}" || { echo "the backend is $PULUMI_BACKEND_URL" >&2; exit 1; }
export PULUMI_BACKEND_URL="file://$FOLDER" PULUMI_SKIP_UPDATE_CHECK=true
${command}`;
  writeFileSync(join(bin, "pulumi"), script);
  chmodSync(join(bin, "pulumi"), 0o755);
  return {
    /** The folder that only its `pulumi` knows. */
    folder,
    env: { PATH: [bin, path].join(delimiter), PULUMI_BACKEND_URL: bucket },
    /** What pulumi was asked for since the last look: its first words. */
    asked(): readonly string[] {
      const text = existsSync(log) ? readFileSync(log, "utf8") : "";
      writeFileSync(log, "");
      return text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => line.split(" --")[0] ?? line);
    },
  };
}
