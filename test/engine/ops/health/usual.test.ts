import { expect, test } from "bun:test"
import {
  missedShares,
  nothingUsual,
  type Usual,
  usualWith,
} from "../../../../src/store/health/usual.ts"

const after = (usual: Usual, times: number, shares: Record<string, number>) =>
  Array.from({ length: times }).reduce<Usual>((so) => usualWith(so, shares), usual)

test("fields of a probe's items are usual after three checks", () => {
  const two = after(nothingUsual, 2, { title: 1, price: 0.8 })
  expect(missedShares(two)).toEqual({})
  expect(missedShares(after(two, 1, { title: 1, price: 0.8 }))).toEqual({ title: 1, price: 0.8 })
})

test("rarely filled fields are not missed", () => {
  expect(missedShares(after(nothingUsual, 9, { title: 1, sale: 0.2 }))).toEqual({ title: 1 })
})

test("fields that are gone are not usual any more after some days", () => {
  const usual = after(nothingUsual, 9, { title: 1, price: 1 })
  expect(missedShares(after(usual, 3, { title: 1 }))).toHaveProperty("price")
  const later = after(usual, 30, { title: 1 })
  expect(missedShares(later)).toEqual({ title: 1 })
  expect(Object.keys(later.shares)).toHaveLength(1)
})
