/** What the service answers: the plant as it is stored, without its id (specification, "Plant"). */
export interface Plant {
  readonly name: string;
  readonly tag?: string;
}

/** What a client sends to create a plant (specification, "NewPlant"). The id is an int64, exact. */
export interface NewPlant extends Plant {
  readonly id: bigint;
}
