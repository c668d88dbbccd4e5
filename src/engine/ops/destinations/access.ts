import { EgressDenied } from "../../../catalogue/kit/index.ts"
import { EgressGuard } from "../../net/egress/guard.ts"

/** What the operator permits to destinations. */
export interface DestinationSettings {
  egressAllow: readonly string[]
  destinationAllow: readonly string[]
  /** Base of destinations that are folders. */
  destinationFolder?: string | undefined
}

/** The egress filter of destinations: it also permits what the operator opened for them alone. */
export function destinationGuard({
  egressAllow,
  destinationAllow,
}: Pick<DestinationSettings, "egressAllow" | "destinationAllow">): EgressGuard {
  return new EgressGuard([...egressAllow, ...destinationAllow])
}

/** Names the setting that opens destinations, instead of that of all requests. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof EgressDenied)) return error
  return new EgressDenied(error.message.replace("TRAWL_EGRESS_ALLOW", "TRAWL_DESTINATION_ALLOW"))
}
