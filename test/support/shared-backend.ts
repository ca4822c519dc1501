/**
 * A backend like a bucket that our code can't read: only the `pulumi` on PATH can. That is the real one if installed,
 * otherwise our engine on the folder behind the bucket.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../cli/terminal.ts";

export const bucket = "s3://our-states?region=eu-central-1";

const realPulumi = spawnSync("sh", ["-c", "command -v pulumi"], { encoding: "utf8" }).stdout.trim();

/** The pulumi commands that a stack with a plan needs, with our engine; there are no others. */
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
 * Puts a `pulumi` with access to the bucket into a folder.
 * @param home the folder for its log (`pulumi.log`) and the bucket
 * @param answer replaces its behaviour for every command
 * @returns variables for a shell with this pulumi
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
    /** First words of pulumi's commands since the last look. */
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
