import { expect, test } from "bun:test"
import { read } from "./read.ts"

const font = (number: number, set: number) => `{\\f${number}\\fnil\\fcharset${set} Song;}`

test.each<[what: string, source: string, markdown: string]>([
  [
    "lists of TextEdit, whose lines end in a sign",
    "\\pard\\ls1\\ilvl0 {\\listtext\t\\uc0\\u8226 \t}one\\\n{\\listtext\t\\uc0\\u8226 \t}two\\\r\n\\pard\\ls1\\ilvl1 {\\listtext\t\\uc0\\u8259 \t}sub\\\n\\pard\\ls2\\ilvl0{\\listtext\t1.\t}new\\\n",
    "- one\n- two\n  - sub\n\n1. new\n",
  ],
  [
    "lists whose signs are typed",
    "\\pard \\bullet\\tab one\\par\\pard {\\b \\bullet\\tab two}\\par\\pard three\\par",
    "- one\n- **two**\n\nthree\n",
  ],
  [
    "list items without a written marker, by the tables of lists",
    "{\\*\\listtable{\\list{\\listlevel\\levelnfc0}{\\listlevel\\levelnfc23}\\listid7}{\\list{\\listlevel\\levelnfc255}\\listid8}}{\\*\\listoverridetable{\\listoverride\\listid7\\ls1}{\\listoverride\\listid8\\ls2}}Text\\par\\pard\\ls1 one\\par\\ls1\\ilvl1 sub\\par\\pard\\ls2 none\\par\\pard\\ls9 unknown\\par",
    "Text\n\n1. one\n   - sub\n\nnone\n\nunknown\n",
  ],
  [
    "lists of older programs without a written marker",
    "{\\*\\pnseclvl1\\pndec}Text\\par\\pard{\\*\\pn\\pnlvlbody\\pndec}one\\par two\\par\\pard{\\*\\pn\\pnlvlblt{\\pntxtb \\'b7}}point\\par\\pard after\\par",
    "Text\n\n1. one\n2. two\n\n- point\n\nafter\n",
  ],
  [
    "a list that continues after a paragraph, and one that starts after another",
    "{\\listtext 1.\\tab}one\\par\\pard Between\\par{\\listtext 2.\\tab}two\\par{\\listtext 3.\\tab}three\\par{\\listtext 1.\\tab}new\\par",
    "1. one\n\nBetween\n\n2. two\n3. three\n\n1) new\n",
  ],
  [
    "a sign amid a group says nothing",
    "{\\pard \\ql\\*\\cs7\\cf0 The quick}{\\*\\unknown left out} fox\\par",
    "The quick fox\n",
  ],
  [
    "cells without the start of their row, and a row without its end",
    "\\pard\\intbl One\\cell Two\\cell\\row\\pard\\intbl Three\\cell Four\\cell",
    "| One | Two |\n| --- | --- |\n| Three | Four |\n",
  ],
  [
    "cells that no table holds",
    "\\pard One\\cell Two\\cell \\pard after\\par",
    "| One | Two |\n| --- | --- |\n\nafter\n",
  ],
  [
    "tables in cells, without their copy for older programs",
    "\\trowd\\pard\\intbl\\itap2 In\\nestcell Side\\nestcell{\\*\\nesttableprops\\trowd\\nestrow}{\\nonesttables no\\par}\\pard\\intbl Out\\cell\\pard\\intbl B\\cell\\row",
    "| In<br>Side<br>Out | B |\n| --- | --- |\n",
  ],
  [
    "notes are marked, those of deleted text as well as their text are left out",
    "Mead wrote.\\chftn{\\footnote \\pard\\plain {\\up6\\chftn }See Geertz.\\par More.} Then{\\*\\footnote \\chftn\\~Second note.} so. {\\deleted gone}\\par",
    "Mead wrote.[^1] Then[^2] so.\n\n[^1]: See Geertz.\n\n    More.\n\n[^2]: Second note.\n",
  ],
  [
    "text boxes follow their paragraph, once",
    "Before{\\shp{\\*\\shpinst{\\sp{\\sn no}}{\\shptxt \\pard In a box\\par}}{\\shprslt{\\pard In a box\\par}}} after.\\par Next.\\par",
    "Before after.\n\nIn a box\n\nNext.\n",
  ],
  [
    "fields of headers are left out",
    "{\\header {\\field{\\*\\fldinst PAGE}{\\fldrslt 7}}\\par}Text.\\par",
    "Text.\n",
  ],
  [
    "equations, with their signs in order",
    "For {\\mmath{\\*\\moMathPara{\\*\\moMath{\\lang1033{\\mr\\mscr0 a=}}{\\mf{\\mfPr{\\mctrlPr\\i }}{\\mnum{\\mr 1}}{\\mden{\\i 2\\{{\\mr b}}}}{\\mnary{\\mnaryPr{\\mchr \\u8721 ?}{\\msupHide on}}{\\msub{\\mr i}}{\\msup}{\\me{\\mr i}}}}}} it holds.\\par",
    "For $a=\\frac{1}{2\\{b}\\sum_{i}i$ it holds.\n",
  ],
  [
    "letters by the character set of their font",
    `{\\fonttbl${font(0, 0)}${font(1, 204)}${font(2, 128)}}\\f0 caf\\'e9 {\\f1 \\'cc\\'e8\\'f0} {\\f2 \\'93\\'fa} \\'e9\\par`,
    "café Мир 日 é\n",
  ],
  [
    "letters by the character set of a theme's font",
    "{\\fonttbl\n{\\fdbminor\\f31505\\fbidi \\froman\\fcharset128\\fprq1\\'82\\'6c;}}\\f31505 \\'93\\'fa\\par",
    "日\n",
  ],
])("%s", async (_, source, markdown) => {
  const bytes = new Uint8Array(Buffer.from(`{\\rtf1\\ansi\\ansicpg1252 ${source}}`, "latin1"))
  expect((await read("rtf", bytes)).markdown).toBe(markdown)
})
