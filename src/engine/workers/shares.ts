/** What a lane has at a moment: an account, or the address of callers without one. */
export interface LaneLoad {
  lane: string
  running: number
}

/** How many lanes of each kind run or wait. */
export interface Lanes {
  accounts: number
  keyless: number
}

/** One of these lanes has to give a place back. */
export interface Givers {
  lanes: string[]
  /** None has more than its share: there are more lanes than places. */
  inTurn: boolean
}

const keylessPrefix = "keyless:"

export function laneOf(run: { account_id: string | null }, caller = ""): string {
  return run.account_id ?? keylessPrefix + caller
}

export function isKeyless(lane: string): boolean {
  return lane.startsWith(keylessPrefix)
}

/** Of all places, the part that may be keyless: accounts always find some room. */
const keylessMost = 0.75
/** And the part that accounts together leave to them. */
const keylessLeast = 0.25

/**
 * Who has to make room for whom. Places are given to whoever asks while there are some; when there are
 * none, each account has an equal share, which shrinks with every contender, and callers without an
 * account divide a share among their addresses.
 */
export class Shares {
  readonly keylessPlaces: number

  constructor(private readonly places: number) {
    this.keylessPlaces = Math.ceil(places * keylessMost)
  }

  /** How many places a lane may hold while others wait. */
  shareOf(lane: string, lanes: Lanes): number {
    const keyless = this.keylessShare(lanes)
    return isKeyless(lane)
      ? part(keyless, lanes.keyless)
      : part(this.places - keyless, lanes.accounts)
  }

  /** Who has to give a place back for a lane that waits; null when nobody has to. */
  givers(newcomer: string, loads: readonly LaneLoad[]): Givers | null {
    const own = loads.find(({ lane }) => lane === newcomer)
    const keyless = loads.filter(({ lane }) => isKeyless(lane))
    const accounts = loads.filter(({ lane }) => !isKeyless(lane))
    const lanes = { keyless: keyless.length, accounts: accounts.length }
    const share = this.shareOf(newcomer, lanes)
    if (!own || own.running >= share) return null
    const keylessRunning = running(keyless)
    const isFull = keylessRunning + running(accounts) >= this.places
    const keylessShare = this.keylessShare(lanes)
    if (isKeyless(newcomer)) {
      if (!isFull && keylessRunning < this.keylessPlaces) return null
      const over = most(keyless, share)
      if (over) return over
      if (keylessRunning >= keylessShare) return inTurn(own, keyless)
      return most(accounts, part(this.places - keylessShare, lanes.accounts))
    }
    if (!isFull) return null
    const over = most(accounts, share)
    if (over) return over
    return keylessRunning > keylessShare ? most(keyless, 0) : inTurn(own, accounts)
  }

  private keylessShare({ keyless, accounts }: Lanes): number {
    if (keyless === 0) return 0
    const share = Math.floor(Math.max(this.places * keylessLeast, this.places / (accounts + 1)))
    return Math.min(Math.max(1, share), this.keylessPlaces)
  }
}

function part(places: number, lanes: number): number {
  return Math.max(1, Math.floor(places / Math.max(1, lanes)))
}

function running(loads: readonly LaneLoad[]): number {
  return loads.reduce((total, load) => total + load.running, 0)
}

/** The lanes that have most, if that is more than `share`. */
function most(loads: readonly LaneLoad[], share: number): Givers | null {
  const top = loads.reduce((max, load) => Math.max(max, load.running), 0)
  if (top <= share) return null
  const lanes = loads.filter((load) => load.running === top).map(({ lane }) => lane)
  return { lanes, inTurn: false }
}

/** More lanes than places: whoever has none takes over from one that has some. */
function inTurn(own: LaneLoad, loads: readonly LaneLoad[]): Givers | null {
  if (own.running > 0) return null
  const lanes = loads.filter((load) => load.running > 0).map(({ lane }) => lane)
  return lanes.length > 0 ? { lanes, inTurn: true } : null
}
