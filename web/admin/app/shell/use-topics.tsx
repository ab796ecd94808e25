import type { SpotlightActionGroupData } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { admits } from '../../../../src/access/users/role-groups.ts'
import { showPart } from '../../components/show-part.ts'
import { useUser } from '../../data/session.ts'
import { isLanguage } from '../../i18n/index.ts'
import type { Topics } from '../../i18n/topics/en.ts'
import { loadTopics, topicPlaces } from './topics.ts'

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
