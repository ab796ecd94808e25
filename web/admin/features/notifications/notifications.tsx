import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Screen } from '../../components/screen.tsx'
import { useQueryParameters } from '../../data/query-parameters.ts'
import { MailSettingsTab } from './mail-settings.tsx'
import { MessageLog } from './message-log.tsx'
import { SmsSettingsTab } from './sms/sms-settings.tsx'
import { Templates } from './templates/templates.tsx'

const views = ['settings', 'sms', 'messages', 'templates'] as const

/** The screen of notifications: mail settings, the SMS gateway, the log of messages, and the templates. */
export default function Notifications() {
  const { t } = useTranslation()
  const [parameters] = useQueryParameters()
  const navigate = useNavigate()
  const view = views.find((one) => one === parameters.view) ?? 'settings'
  return (
    <Screen title={t('notifications.title')} text={t('notifications.text')}>
      {/* The tabs have different query parameters, so changing the tab clears them. */}
      <Tabs
        value={view}
        keepMounted={false}
        onChange={(to) => void navigate({ to: '.', search: to === null || to === 'settings' ? {} : { view: to } })}
      >
        <Tabs.List mb="md">
          {views.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`notifications.tabs.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="settings">
          <MailSettingsTab />
        </Tabs.Panel>
        <Tabs.Panel value="sms">
          <SmsSettingsTab />
        </Tabs.Panel>
        <Tabs.Panel value="messages">
          <MessageLog />
        </Tabs.Panel>
        <Tabs.Panel value="templates">
          <Templates />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  )
}
