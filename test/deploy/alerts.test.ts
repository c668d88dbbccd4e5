import { describe, expect, test } from "bun:test"
import { join } from "node:path"

const folder = join(import.meta.dir, "../../deploy/prometheus")
const read = async (name: string) => Bun.YAML.parse(await Bun.file(join(folder, name)).text())

interface Rules {
  groups: { rules: { alert: string; expr: string }[] }[]
}
interface RuleTests {
  tests: { name: string; alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[]
}

describe("the alert rules", () => {
  test("are each tested, firing and silent", async () => {
    const { groups } = (await read("alerts.yml")) as Rules
    const { tests } = (await read("alerts.test.yml")) as RuleTests
    const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).sort()
    const tested = (name: string, fires: boolean) =>
      tests
        .find((one) => one.name === name)!
        .alert_rule_test.filter(({ exp_alerts }) => exp_alerts.length > 0 === fires)
        .map(({ alertname }) => alertname)
        .sort()
    expect(tested("broken", true)).toEqual(alerts)
    expect(tested("healthy", false)).toEqual(alerts)
  })

  // Debian's package `prometheus` contains it.
  test.skipIf(!Bun.which("promtool"))(
    "pass promtool's check and its tests",
    () => {
      const promtool = (...args: string[]) => {
        const { success, stdout, stderr } = Bun.spawnSync(["promtool", ...args], { cwd: folder })
        return [success, `${stdout}${stderr}`]
      }
      expect(promtool("check", "rules", "alerts.yml")).toEqual([true, expect.anything()])
      expect(promtool("test", "rules", "alerts.test.yml")).toEqual([
        true,
        expect.stringContaining("SUCCESS"),
      ])
    },
    60_000,
  )
})
