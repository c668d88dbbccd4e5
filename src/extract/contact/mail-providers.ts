/** The providers of mail servers, by host name. */
const providers: [RegExp, string][] = [
  [/(?:^|\.)(?:google|googlemail)\.com$/, "google"],
  [/\.(?:protection\.outlook\.com|mx\.microsoft)$/, "microsoft"],
  [/\.zoho(?:mail)?\.\w+(?:\.\w+)?$/, "zoho"],
  [/\.protonmail\.ch$/, "proton"],
  [/\.messagingengine\.com$/, "fastmail"],
  [/\.icloud\.com$/, "apple"],
  [/\.yandex\.(?:net|ru)$/, "yandex"],
  [/\.amazonaws\.com$/, "amazon"],
  [/\.mx\.cloudflare\.net$/, "cloudflare"],
  [/\.pphosted\.com$/, "proofpoint"],
  [/\.mimecast(?:-offshore)?\.com$/, "mimecast"],
  [/\.ovh\.net$/, "ovh"],
  [/\.(?:ionos|kundenserver|1and1)\.\w+$/, "ionos"],
  [/\.hostinger\.com$/, "hostinger"],
  [/\.secureserver\.net$/, "godaddy"],
  [/\.privateemail\.com$/, "namecheap"],
  [/\.mailgun\.org$/, "mailgun"],
  [/\.gandi\.net$/, "gandi"],
]

/** The provider of the first mail server that is known; null if none is. */
export function mailProviderOf(exchanges: string[]): string | null {
  for (const exchange of exchanges) {
    const known = providers.find(([pattern]) => pattern.test(exchange.toLowerCase()))
    if (known) return known[1]
  }
  return null
}
