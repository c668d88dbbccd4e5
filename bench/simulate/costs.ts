/** Cost of each piece of work, in milliseconds of one core's time unless noted otherwise. */
export interface Costs {
  /** In a process: fetch a page of the usual size, read it and convert it to Markdown. */
  page: number
  /** In a process: start, watch and finish a run. */
  run: number
  /** In the database: start, claim and finish a run. */
  databaseRun: number
  /** In the database: a transaction that commits targets, and each target in it with its item. */
  databaseCommit: number
  databaseTarget: number
  /** In the database: lease start times of one host to one process. */
  databaseLease: number
  /** In the database: a process's heartbeat and its queue poll, each once a second. */
  databaseBeat: number
  databaseLook: number
}

/** Measured by `bun bench/simulate/main.ts --measure`; costs.json also contains the machine and the date. */
export interface MeasuredCosts {
  measured: string
  machine: string
  costs: Costs
}
