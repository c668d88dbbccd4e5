/** In the data folder: the operator's canaries. */
export const probesName = "canaries.json"
/** And what broken canaries were answered, a folder a scraper. */
export const driftName = "drift"
