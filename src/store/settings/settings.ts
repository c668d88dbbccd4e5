import type { Selectable } from "kysely"
import type { Db } from "../db/database.ts"
import type { SettingsTable } from "../tables/account-tables.ts"

export type SettingRow = Selectable<SettingsTable>

export async function storedSettings(db: Db): Promise<SettingRow[]> {
  return db.selectFrom("settings").selectAll().execute()
}

export async function keepSetting(db: Db, setting: SettingRow): Promise<void> {
  const { name, ...set } = setting
  await db
    .insertInto("settings")
    .values(setting)
    .onConflict((conflict) => conflict.column("name").doUpdateSet(set))
    .execute()
}

export async function dropSetting(db: Db, { name }: { name: string }): Promise<void> {
  await db.deleteFrom("settings").where("name", "=", name).execute()
}
