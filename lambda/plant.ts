/** The answer of the service: the plant as it is stored, without its id (specification, "Plant"). */
export interface Plant {
  readonly name: string;
  readonly tag?: string;
}

/** What a client sends to create a plant (specification, "NewPlant"). The id is an exact int64. */
export interface NewPlant extends Plant {
  readonly id: bigint;
}
