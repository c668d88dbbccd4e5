import { Type } from "@sinclair/typebox"
import { schemaOfRow } from "../../catalogue/kit/index.ts"
import type { RowShape } from "../../engine/ops/destinations/transport.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import type { Service } from "../service.ts"
import { plain } from "../v1/item-exports.ts"
import { ownFieldsOfRuns } from "../v1/own-columns.ts"

/** How the items of a run become rows: the fields that its input names are top-level, as in exports. */
export async function rowShapeOf(
  service: Pick<Service, "store" | "scraper">,
  run: RunRow,
): Promise<RowShape> {
  const own = await ownFieldsOfRuns(service, [run])
  const item = service.scraper(run.slug)?.item
  return {
    schema: plain(item ? schemaOfRow(item, own, false) : Type.Object({})),
    own: own.map(({ name, at }) => ({ name, at })),
  }
}
