/** What is told beside the protocol, without any secret of the call. */
import { maskedConflict } from "./lifecycle/conflict.ts";
import type { Notice } from "./run/notices.ts";
import { type Mask, masked } from "./values/secrecy.ts";
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
    default:
      return notice;
  }
}
