import { expect, test } from "bun:test"
import { endsOf, ticksBetween } from "../../src/console/parts/charts/scale.ts"

const ticks: [least: number, most: number, ticks: number[]][] = [
  [0, 100, [0, 50, 100]],
  [85.88, 109.5, [80, 90, 100, 110]],
  [-3, 7, [-5, 0, 5, 10]],
  [0.001, 0.0034, [0.001, 0.002, 0.003, 0.004]],
  [5, 5, [5]],
]
for (const [least, most, expected] of ticks) {
  test(`an axis from ${least} to ${most} has round values that include both`, () => {
    expect(ticksBetween(least, most)).toEqual(expected)
  })
}

test("an axis of amounts begins at zero, one of a trend is close to its values", () => {
  expect(endsOf([3, 9], true)).toEqual([0, 9])
  expect(endsOf([0, 0], true)).toEqual([0, 1])
  expect(endsOf([3, 9], false)).toEqual([3, 9])
  expect(endsOf([20, 20], false)).toEqual([18, 22])
  expect(endsOf([0, 0], false)).toEqual([0, 1])
  expect(endsOf([-5, -5], false)).toEqual([-5.5, -4.5])
})
