import { expect, test } from "bun:test"
import { messageFor } from "../../../src/engine/ops/notifications/messages.ts"

const change = (name: string) => ({
  key: name,
  name,
  url: `https://shop.test/${name}`,
  condition: "dropped",
  before: 20,
  after: 15,
  image: `https://shop.test/${name}.jpg`,
  sentence: `Price of ${name} fell from 20 to 15 (-25 %).`,
})
const changed = (names: string[], more = 0) => ({
  type: "monitor.changed",
  data: { scheduleId: "sch_1", name: "Lamps", scraper: "x", changes: names.map(change), more },
})

test("one change names its item and its old and new value, and links to it and its monitor", () => {
  expect(messageFor(changed(["arc"]), "https://trawl.test")).toEqual({
    title: "Lamps: arc",
    text: "Price of arc fell from 20 to 15 (-25 %).\nMonitor: https://trawl.test/monitors/sch_1",
    link: "https://shop.test/arc",
    image: "https://shop.test/arc.jpg",
    isUrgent: false,
  })
})

test("each of several changes has its own link; without a public URL there is none to the monitor", () => {
  const { title, text } = messageFor(changed(["arc", "box"], 3))
  expect(title).toBe("Lamps")
  expect(text.split("\n")).toEqual([
    "Price of arc fell from 20 to 15 (-25 %).",
    "https://shop.test/arc",
    "Price of box fell from 20 to 15 (-25 %).",
    "https://shop.test/box",
    "And 3 more.",
  ])
})

test("a finished run links to the run", () => {
  const data = {
    scraper: "x",
    status: "failed",
    runId: "run_1",
    itemCount: 0,
    errorCount: 1,
    creditsCharged: 0,
  }
  expect(messageFor({ type: "run.failed", data }, "https://trawl.test").link).toBe(
    "https://trawl.test/runs/run_1",
  )
  expect(messageFor({ type: "run.failed", data }).link).toBeNull()
})

test("a template has the old and the new value of each change, and fills nothing in twice", () => {
  const event = changed(["arc", "{old}"])
  const template = { title: "{monitor}: {name}", text: "{name} {old} → {new} {url} {monitorUrl}" }
  expect(messageFor(event, "https://trawl.test", template)).toMatchObject({
    title: "Lamps: arc",
    text: [
      "arc 20 → 15 https://shop.test/arc https://trawl.test/monitors/sch_1",
      "{old} 20 → 15 https://shop.test/{old} https://trawl.test/monitors/sch_1",
    ].join("\n"),
  })
  const usual = messageFor(event)
  expect(messageFor(event, "", { text: "{text}" })).toEqual(usual)
})
