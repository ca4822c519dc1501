/** How a command that runs ends, if not well: it says where nothing was changed, always then and only then. */
import { isUnchanged, type Meter, unchangedText } from "../../runs/command.ts";
import { codes } from "../exit.ts";
import { tellPerson } from "./stage.ts";

/**
 * Does a command's work. The requests that went out know whether the shop was changed, whatever ended it.
 * @param work answers an exit code
 */
export async function tellingUnchanged(
  { spent }: Pick<Meter, "spent">,
  work: () => Promise<number>,
): Promise<number> {
  try {
    const code = await work();
    if (code !== codes.success && isUnchanged(spent())) tellPerson(unchangedText);
    return code;
  } catch (error) {
    if (error instanceof Error && isUnchanged(spent()) && !/nothing was changed/i.test(error.message))
      error.message += `\n${unchangedText}`;
    throw error;
  }
}
