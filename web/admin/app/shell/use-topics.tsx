import type { SpotlightActionGroupData } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { admits } from '../../../../src/access/users/role-groups.ts'
import { scrollToElement } from '../../components/scroll-to-element.ts'
import { useUser } from '../../data/session.ts'
import { isLanguage } from '../../i18n/index.ts'
import type { Topics } from '../../i18n/topics/en.ts'
import { loadTopics, topicTargets } from './topics.ts'

/**
 * Returns the group of the command palette with the topics for the user's role: tasks and settings that users find by
 * search words such as “closed” or “ill”. The group is empty until text is typed and the topics have loaded.
 */
export function useTopics(searchText: string): SpotlightActionGroupData {
  const { t, i18n } = useTranslation()
  const { role } = useUser()
  const navigate = useNavigate()
  const [loaded, setLoaded] = useState<{ readonly language: string; readonly topics: Topics }>()
  const { language } = i18n
  const isNeeded = searchText !== '' && loaded?.language !== language
  useEffect(() => {
    if (isNeeded && isLanguage(language)) void loadTopics(language).then((topics) => setLoaded({ language, topics }))
  }, [isNeeded, language])
  const entries = searchText === '' || !loaded ? [] : Object.entries(loaded.topics)
  return {
    group: t('shell.topics'),
    actions: entries.flatMap(([name, { label, words }]) => {
      const { to, search, hash, roles } = topicTargets[name as keyof Topics]
      if (!admits(roles, role)) return []
      const open = async (): Promise<void> => {
        await navigate({ to, ...(search && { search }) })
        if (hash !== undefined) scrollToElement(hash)
      }
      return [{ id: `topic ${name}`, label, keywords: words, onClick: () => void open() }]
    }),
  }
}
