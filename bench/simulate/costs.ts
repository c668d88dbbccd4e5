/** Cost of each piece of work, in milliseconds of one core's time unless noted otherwise. */
export interface Costs {
  /** Of a process: a page of the usual size fetched, read and made Markdown of. */
  page: number
  /** Of a process: a run begun, watched and ended. */
  run: number
  /** Of the database: a run begun, taken, and ended. */
  databaseRun: number
  /** Of the database: a transaction that commits targets, and each target in it with its item. */
  databaseCommit: number
  databaseTarget: number
  /** Of the database: start times of one host leased to one process. */
  databaseLease: number
  /** Of the database: a process's sign of life, and its look at the queue, each once a second. */
  databaseBeat: number
  databaseLook: number
}

/** Measured by `bun bench/simulate/main.ts --measure`; costs.json also contains the machine and the date. */
export interface MeasuredCosts {
  measured: string
  machine: string
  costs: Costs
}
