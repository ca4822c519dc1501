/** What is told beside the protocol, without any secret of the call. */
import { maskedConflict } from "./lifecycle/conflict.ts";
import type { Notice } from "./run/notices.ts";
import type { Finding } from "./theme/finding.ts";
import { type Mask, masked } from "./values/secrets.ts";
import { printable } from "./wire/printable.ts";

export function discreetNotice(notice: Notice, mask: Mask): Notice {
  switch (notice.type) {
    case "text":
      return { ...notice, lines: printable(mask(notice.lines)) };
    case "unstated":
      return { ...notice, lines: notice.lines.map((line) => printable(mask(line))) };
    case "settings":
      return { ...notice, values: masked(notice.values, mask) };
    case "overwrites":
      return { type: notice.type, ...maskedConflict(notice, mask) };
    case "finding":
    case "lacks":
      return { ...notice, finding: discreetFinding(notice.finding, mask) };
    default:
      return notice;
  }
}

/** Its place and its texts may repeat what is secret; the names of its rule and of a type can't. */
function discreetFinding(finding: Finding, mask: Mask): Finding {
  const { path, source, message, fix, lacks } = finding;
  return {
    ...finding,
    ...masked({ path, source, message, fix }, mask),
    ...(lacks !== undefined && { lacks: { ...lacks, name: mask(lacks.name) } }),
  };
}
