/** What a person decides for a run beside its program. Resources are named by their names, or their URNs. */
export interface Choices {
  /** The moment whose plan it is, of a preview: now when left out. Resources that are asked for a time are asked by it. */
  readonly at?: string;
  /** Reads the shop first. */
  readonly refresh?: boolean;
  /** The stack's shop is another one on purpose: the state forgets what it has of others, which stays there. */
  readonly newShop?: boolean;
  /** The shop may have nothing left of all that the state has: the state is emptied then. */
  readonly allGone?: boolean;
  /** What may be done although the limits of the stack refuse it. */
  readonly allow?: readonly string[];
  /** What may be changed or deleted although it was changed in the shop too. */
  readonly overwrite?: readonly string[];
  /** What stays in the shop as staff changed it and a refresh read it, where the program asks as before; kinds too. */
  readonly keep?: readonly string[];
  /** Charges whose create may be sent again after an answer was lost. */
  readonly resend?: readonly string[];
  /** Only these resources; all others stay as they are. */
  readonly target?: readonly string[];
  /** With `target`: what depends on them too. */
  readonly targetDependents?: boolean;
  /** All resources but these. */
  readonly exclude?: readonly string[];
  /** Resources to replace, whatever has changed of them. */
  readonly replace?: readonly string[];
}
