import { describe, expect, test } from "bun:test"
import { decodeBody } from "../../../../src/engine/net/http/charset.ts"
import { charsetParameter, metaCharset } from "../../../../src/engine/net/http/meta-charset.ts"

const latin = (text: string) => new Uint8Array(Buffer.from(text, "latin1"))
const utf8 = (text: string) => new TextEncoder().encode(text)
const utf16le = (text: string) => new Uint8Array(Buffer.from(text, "utf16le"))
const utf16be = (text: string) => new Uint8Array(Buffer.from(text, "utf16le").swap16())
const mark = "\ufeff"

const html = "text/html"
const rows: [string, Uint8Array, string, string][] = [
  ["UTF-8 without a word", utf8("grün €"), html, "grün €"],
  ["bytes that are not UTF-8 are windows-1252", latin("gr\xfcn \x80"), html, "grün €"],
  ["the header", latin("\xd0\xcf"), "text/html; charset=koi8-r", "по"],
  ["the header in quotes", latin("\xd0\xcf"), 'text/html; charset="KOI8-R"', "по"],
  ["the header in disorder", latin("\xd0\xcf"), "text/html;Charset = koi8-r ; x=y", "по"],
  ["iso-8859-1 means windows-1252", latin("\x80\x93"), "text/html; charset=iso-8859-1", "€“"],
  ["us-ascii, too", latin("\x80"), "text/plain; charset=us-ascii", "€"],
  ["an unknown charset in the header", utf8("grün"), "text/html; charset=none", "grün"],
  ["an empty header", utf8("grün"), "text/html; charset=", "grün"],
  ["UTF-7 is never believed", utf8("+ADw-b+AD4-"), "text/html; charset=utf-7", "+ADw-b+AD4-"],
  [
    "the header beats the meta element",
    utf8('<meta charset="koi8-r">ü'),
    "text/html; charset=utf-8",
    '<meta charset="koi8-r">ü',
  ],
  ["a UTF-8 mark beats the header", utf8(`${mark}ü`), "text/html; charset=koi8-r", "ü"],
  ["a UTF-16 mark", utf16le(`${mark}ü€`), html, "ü€"],
  ["a UTF-16 mark, big end first", utf16be(`${mark}ü€`), html, "ü€"],
  ["UTF-16 by the header", utf16le("ü€"), "text/html; charset=utf-16", "ü€"],
  [
    "UTF-16 by an XML declaration",
    utf16le("<?xml version='1.0'?><a>ü</a>"),
    "text/xml",
    "<?xml version='1.0'?><a>ü</a>",
  ],
  [
    "UTF-16 by an XML declaration, big end first",
    utf16be("<?xml?><a>ü</a>"),
    "",
    "<?xml?><a>ü</a>",
  ],
  [
    "a declaration of UTF-16 in ASCII is none",
    utf8('<meta charset="utf-16">ü'),
    html,
    '<meta charset="utf-16">ü',
  ],
  ["meta charset", latin("<meta charset=koi8-r>\xd0\xcf"), html, "<meta charset=koi8-r>по"],
  [
    "x-user-defined in a meta element",
    latin("<meta charset=x-user-defined>\x80"),
    html,
    "<meta charset=x-user-defined>€",
  ],
  [
    "a meta element after the first 1,024 bytes",
    latin(`${" ".repeat(2000)}<meta charset=koi8-r>\xd0\xcf`),
    html,
    `${" ".repeat(2000)}<meta charset=koi8-r>по`,
  ],
  [
    "which does not count for clean UTF-8",
    utf8(`${" ".repeat(2000)}<meta charset=koi8-r>ü`),
    html,
    `${" ".repeat(2000)}<meta charset=koi8-r>ü`,
  ],
  [
    "an XML declaration",
    latin('<?xml version="1.0" encoding="koi8-r"?>\xd0\xcf'),
    "application/xml",
    '<?xml version="1.0" encoding="koi8-r"?>по',
  ],
  [
    "in XHTML, XML's declaration first",
    latin('<?xml version="1.0" encoding="koi8-r"?><meta charset="big5">\xd0\xcf'),
    "application/xhtml+xml",
    '<?xml version="1.0" encoding="koi8-r"?><meta charset="big5">по',
  ],
  [
    "JSON declares nothing",
    utf8('{"a":"<meta charset=koi8-r>ü"}'),
    "application/json",
    '{"a":"<meta charset=koi8-r>ü"}',
  ],
  [
    "nor does JSON without its type",
    utf8('["<meta charset=koi8-r>ü"]'),
    "",
    '["<meta charset=koi8-r>ü"]',
  ],
  ["Japanese", new Uint8Array([0x93, 0xfa, 0x96, 0x7b]), "text/html; charset=Shift_JIS", "日本"],
  ["Korean", new Uint8Array([0xc7, 0xd1, 0xb1, 0xdb]), "text/html; charset=ks_c_5601-1987", "한글"],
  ["Chinese", new Uint8Array([0xd6, 0xd0, 0xce, 0xc4]), "text/html; charset=gb2312", "中文"],
  ["broken bytes never throw", latin("a\xff\xfeb"), "text/html; charset=utf-8", "a\ufffd\ufffdb"],
  ["nothing at all", new Uint8Array(), "", ""],
]

describe("decoding a body", () => {
  for (const [name, bytes, type, wanted] of rows) {
    test(name, () => expect(decodeBody(bytes, type)).toBe(wanted))
  }
})

/** The prescan of the HTML standard: markup, and the label that it declares. */
const markup: [string, string | undefined][] = [
  ['<meta charset="Big5">', "big5"],
  ["<META CharSet='big5' >", "big5"],
  ["<meta/charset=big5>", "big5"],
  ["<meta name=a charset=big5 charset=koi8-r>", "big5"],
  ['<meta http-equiv="Content-Type" content="text/html; charset=big5">', "big5"],
  ["<meta content='text/html;charset = \"big5\"' http-equiv=content-type>", "big5"],
  ['<meta name="x" content="text/html; charset=big5">', undefined],
  ['<meta http-equiv="refresh" content="1; url=?charset=big5">', undefined],
  ["<metadata charset=big5>", undefined],
  ["<!-- <meta charset=big5> --><meta charset=koi8-r>", "koi8-r"],
  ["<!--><meta charset=koi8-r>", "koi8-r"],
  ["<!-- <meta charset=big5>", undefined],
  ['<a title="<meta charset=big5>"><meta charset=koi8-r>', "koi8-r"],
  ["<meta charset=''><meta charset=koi8-r>", "koi8-r"],
  ["<p>charset=big5</p>", undefined],
  ["<meta charset=", undefined],
  ["<", undefined],
]

describe("the encoding that the markup declares", () => {
  for (const [head, label] of markup) {
    test(head, () => expect(metaCharset(head)).toBe(label))
  }
})

test("the parameter of a content type", () => {
  expect(charsetParameter("text/html; charset=utf-8, text/html")).toBe("utf-8")
  expect(charsetParameter("charset charset=a")).toBe("a")
  expect(charsetParameter("text/html")).toBeUndefined()
})
