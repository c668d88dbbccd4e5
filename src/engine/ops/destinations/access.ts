import { EgressDenied } from "../../../catalogue/kit/index.ts"
import { EgressFilter } from "../../net/egress/filter.ts"

/** The operator's settings for destinations. */
export interface DestinationSettings {
  egressAllow: readonly string[]
  destinationAllow: readonly string[]
  /** Base of destinations that are folders. */
  destinationFolder?: string | undefined
}

/** The egress filter of destinations, which also allows what the operator opened only for them. */
export function destinationFilter({
  egressAllow,
  destinationAllow,
}: Pick<DestinationSettings, "egressAllow" | "destinationAllow">): EgressFilter {
  return new EgressFilter([...egressAllow, ...destinationAllow])
}

/** Changes a refusal to name the setting for destinations instead of the one for all requests. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof EgressDenied)) return error
  return new EgressDenied(error.message.replace("TRAWL_EGRESS_ALLOW", "TRAWL_DESTINATION_ALLOW"))
}
