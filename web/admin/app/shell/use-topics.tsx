import type { SpotlightActionGroupData } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { admits } from '../../../../src/access/users/role-groups.ts'
import { useUser } from '../../data/session.ts'
import { isLanguage } from '../../i18n/index.ts'
import type { Topics } from '../../i18n/topics/en.ts'
import { loadTopics, topicPlaces } from './topics.ts'

// Milliseconds for which a part of a page is waited for.
const patience = 5_000

/** The group of the command palette with topics such as “closed” or “ill”; empty before anything is sought. */
export function useTopics(sought: string): SpotlightActionGroupData {
  const { t, i18n } = useTranslation()
  const { role } = useUser()
  const navigate = useNavigate()
  const [loaded, setLoaded] = useState<{ readonly language: string; readonly topics: Topics }>()
  const { language } = i18n
  const isNeeded = sought !== '' && loaded?.language !== language
  useEffect(() => {
    if (isNeeded && isLanguage(language)) void loadTopics(language).then((topics) => setLoaded({ language, topics }))
  }, [isNeeded, language])
  const entries = sought === '' || !loaded ? [] : Object.entries(loaded.topics)
  return {
    group: t('shell.topics'),
    actions: entries.flatMap(([name, { label, words }]) => {
      const { to, search, hash, roles } = topicPlaces[name as keyof Topics]
      if (!admits(roles, role)) return []
      const open = async (): Promise<void> => {
        await navigate({ to, ...(search && { search }) })
        if (hash !== undefined) showPart(hash)
      }
      return [{ id: `topic ${name}`, label, keywords: words, onClick: () => void open() }]
    }),
  }
}

/** Scrolls a part of the page into view, as soon as it has been drawn. */
function showPart(id: string): void {
  const show = (): boolean => {
    const part = document.getElementById(id)
    part?.scrollIntoView()
    return part !== null
  }
  if (show()) return
  const observer = new MutationObserver(() => {
    if (show()) observer.disconnect()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), patience)
}
