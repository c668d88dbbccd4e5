/** The operator's health probes, in the data folder. */
export const probesName = "probes.json"
/** Recorded responses of failed probes, in the data folder, one folder per scraper. */
export const driftName = "drift"
