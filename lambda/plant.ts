/** The response of the service: the plant as it is stored, without its id (specification, "Plant"). */
export interface Plant {
  readonly name: string;
  readonly tag?: string;
}

/** What a client sends to create a plant (specification, "NewPlant"). The id is an exact int64. */
export interface NewPlant extends Plant {
  readonly id: bigint;
}

/**
 * The texts of a plant, in the order of the response. The check of a body, the item, its size, the condition of a repeat
 * and the response are made from this list. The compiler holds it to {@link Plant}.
 */
export const TEXTS = { name: 'required', tag: 'optional' } as const satisfies {
  readonly [Text in keyof Plant]-?: undefined extends Plant[Text] ? 'optional' : 'required';
};

export type TextName = keyof typeof TEXTS;

/** The names of {@link TEXTS}. */
export const TEXT_NAMES = Object.keys(TEXTS) as readonly TextName[];
