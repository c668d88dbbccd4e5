import { expect, test } from "bun:test"
import { parts } from "../../src/api/docs/guide-pages.ts"
import { matchRoute, routes } from "../../src/console/routing/routes.ts"

test("a path has one screen and its ID", () => {
  const found = (path: string) => {
    const match = matchRoute(path)
    return match && [match.route.path, match.id]
  }
  expect(found("/")).toEqual(["/", ""])
  expect(found("/datasets/ds_1/diff")).toEqual(["/datasets/:id/diff", "ds_1"])
  expect(found("/schedules/new/price-monitor")).toEqual(["/schedules/new/:id", "price-monitor"])
  expect(found("/operate/log")).toEqual(["/operate/log", ""])
  expect(found("/elsewhere")).toBeUndefined()
})

test("the guide has the help page of each screen", () => {
  const names = parts.flatMap(({ pages }) => Object.keys(pages))
  expect(routes.filter(({ help }) => !names.includes(help))).toEqual([])
})
