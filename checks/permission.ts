/** What a verification may do. */
export interface Permission {
  /** Whether to send also what stores plants. */
  readonly write: boolean;
  /** Whether ids outside the reserved range may be used, such as the limits of int64. Somebody's plant may need them later. */
  readonly everyId: boolean;
  /** The origins that the stage allows, if they are known. */
  readonly origins?: readonly string[] | undefined;
}

/** Why a check is not made. */
export const NO_WRITE = 'only --write stores plants';
export const NOT_EVERY_ID = 'ids outside the reserved range are used only where the stage is not protected';
