import { requireService } from '../../catalogue/catalogue.operations.ts'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import { bumpCatalogue } from '../../catalogue/site/site.sql.ts'
import { sameJson } from '../../data.ts'
import type { Operation } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { wrongFields } from '../../messages/refusal.ts'
import { loadPages, savePageSettings, saveServicePage, saveSlug } from '../settings.sql.ts'
import { isSlug, type PageSettings, type ServicePage } from '../settings.ts'

/** Changes settings of the booking page; absent settings are left unchanged. */
export const editPageSettings: Operation<Partial<PageSettings>, Record<never, never>> = async (tx, change) => {
  await tx.lock(['catalogue!'])
  const { settings: before } = await loadPages(tx.db, await loadCatalogue(tx.db))
  const settings = { ...before, ...change }
  if (sameJson(before, settings)) return {}
  await savePageSettings(tx.db, settings)
  await bumpCatalogue(tx)
  await tx.append({ type: 'booking_page.updated', objectId: 'site', object: { ...settings }, previous: { ...before } })
  return {}
}

/** The input of `editServicePage`. */
export interface EditServicePage extends Partial<ServicePage> {
  /** The id of the service whose settings on the booking page are changed. */
  readonly id: string
  /**
   * The new slug (the last segment of the path of the service's page). URLs with earlier slugs of the service redirect
   * to the new one.
   */
  readonly slug?: string
}

/** Changes how a service appears on the booking page; absent settings are left unchanged. */
export const editServicePage: Operation<EditServicePage, Record<never, never>> = async (
  tx,
  { id, slug, ...change },
) => {
  await tx.lock(['catalogue!'])
  const catalogue = await loadCatalogue(tx.db)
  requireService(catalogue, id)
  const pages = await loadPages(tx.db, catalogue)
  const before = { ...pages.service(id), slug: pages.slugOf(id) }
  const after = { ...before, ...change, slug: slug ?? before.slug }
  if (sameJson(before, after)) return {}
  if (after.slug !== before.slug) {
    const owner = pages.findService(after.slug)
    if (!isSlug(after.slug)) throw wrongFields({ slug: message('slug_invalid') })
    if (owner !== undefined && owner !== id) throw wrongFields({ slug: message('slug_taken') })
    await saveSlug(tx.db, { slug: after.slug, serviceId: id, ordinal: tx.newOrdinal() })
  }
  const { slug: _, ...page } = after
  await saveServicePage(tx.db, id, page)
  await bumpCatalogue(tx)
  await tx.append({ type: 'booking_page.updated', objectId: id, object: { ...after }, previous: { ...before } })
  return {}
}
