import type { Database } from '../../db/database.ts'

/** Returns the language in which a user reads the panel; undefined until the user has opened it. */
export async function findUserLanguage(db: Database, userId: string): Promise<string | undefined> {
  const row = await db.build
    .selectFrom('user_language')
    .select('language')
    .where('person_id', '=', userId)
    .executeTakeFirst()
  return row?.language
}

/**
 * Returns the language in which an active user who is linked to a provider reads the panel; if several such users have
 * opened the panel, the language of the user with the lowest id. Undefined when no such user has opened the panel yet.
 */
export async function findProviderLanguage(db: Database, providerId: number): Promise<string | undefined> {
  const row = await db.build
    .selectFrom('user_language')
    .innerJoin('person', 'person.id', 'user_language.person_id')
    .select('language')
    .where('person.provider_id', '=', providerId)
    .where('person.status', '=', 'active')
    .orderBy('person.id')
    .limit(1)
    .executeTakeFirst()
  return row?.language
}

/** Stores the language in which a user reads the panel. */
export async function saveUserLanguage(db: Database, userId: string, language: string): Promise<void> {
  await db.build
    .insertInto('user_language')
    .values({ person_id: userId, language })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ language }))
    .execute()
}
