/** The program's folder, from which its files are named: a process works in it, a thread of one is told it (../threads.ts). */
let threadFolder: string | undefined;

export const programFolder = (): string => threadFolder ?? process.cwd();

/** From now on this thread works for a program in this folder. */
export function workIn(folder: string): void {
  threadFolder = folder;
}
