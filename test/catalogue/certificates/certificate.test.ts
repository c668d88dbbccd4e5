import { describe, expect, test } from "bun:test"
import { checkServerIdentity, type PeerCertificate } from "node:tls"
import {
  altNames,
  type Certificate,
  certificateDate,
  chainOf,
  nameMatches,
} from "../../../src/catalogue/certificates/certificate.ts"

const certificates: Record<string, Certificate> = {
  names: { subject: { CN: "other.test" }, subjectaltname: "DNS:tides.test, DNS:*.tides.test" },
  address: {
    subject: { CN: "tides.test" },
    subjectaltname: "IP Address:192.0.2.1, IP Address:2001:DB8:0:0:0:0:0:1",
  },
  commonName: { subject: { CN: "tides.test" } },
  commonNames: { subject: { CN: ["moon.test", "*.tides.test"] } },
  wide: { subject: { CN: "x" }, subjectaltname: "DNS:*.test" },
  nothing: { subject: {} },
}
const hosts = [
  "tides.test",
  "TIDES.test",
  "a.tides.test",
  "a.b.tides.test",
  "moon.test",
  "other.test",
  "192.0.2.1",
  "2001:db8::1",
]

describe("names are matched as by the runtime's own check", () => {
  for (const [name, certificate] of Object.entries(certificates)) {
    test.each(hosts)(`${name}: %s`, (host) => {
      const wrong = checkServerIdentity(host, certificate as PeerCertificate)
      const isIp = /^[\d.]+$|:/.test(host)
      expect(nameMatches(host, isIp, certificate)).toBe(wrong === undefined)
    })
  }
})

test("names with commas are quoted", () => {
  const subjectaltname =
    'DNS:"a\\u002c b.test", DNS:c.test, URI:https://d.test/, IP Address:192.0.2.1'
  expect(altNames({ subjectaltname }).all).toEqual(["a, b.test", "c.test", "192.0.2.1"])
})

test.each([
  ["Nov  6 00:00:00 2025 GMT", "2025-11-06T00:00:00.000Z"],
  ["Mar 12 23:59:59 2027 GMT", "2027-03-12T23:59:59.000Z"],
  ["soon", null],
  [undefined, null],
])("%s", (written, date) => {
  expect(certificateDate(written)).toBe(date)
})

test("a chain ends if it returns to itself", () => {
  const root: Certificate = { fingerprint256: "C" }
  root.issuerCertificate = root
  const leaf = {
    fingerprint256: "A",
    issuerCertificate: { fingerprint256: "B", issuerCertificate: root },
  }
  expect(chainOf(leaf).map((one) => one.fingerprint256)).toEqual(["A", "B", "C"])
})
