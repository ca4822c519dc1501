/**
 * The program's folder, which file arguments are relative to: the working folder of a process; a thread is given it
 * (../threads.ts).
 */
let threadFolder: string | undefined;

export const programFolder = (): string => threadFolder ?? process.cwd();

/** Sets the folder of the program that this thread works for. */
export function workIn(folder: string): void {
  threadFolder = folder;
}
