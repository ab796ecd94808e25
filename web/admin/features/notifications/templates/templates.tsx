import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { isNotificationKind } from '../../../../../src/notifications/notification.ts'
import { QuerySelect } from '../../../components/fields/query-select.tsx'
import { PanelLink } from '../../../components/panel-link.tsx'
import { Section } from '../../../components/section.tsx'
import { ErrorState, LoadingState } from '../../../components/states.tsx'
import { useRead } from '../../../data/queries.ts'
import { useUser } from '../../../data/session.ts'
import { languages } from '../../../i18n/index.ts'
import { TemplateEditor } from './template-editor.tsx'
import { canEdit, templateKindsOf, useServiceNames, useTemplateSelection } from './template-selection.ts'

/** The tab of message templates: selects one by channel, kind, language and service, and edits it. */
export function Templates() {
  const { t } = useTranslation()
  const key = useTemplateSelection()
  const { data, error, refetch, isPlaceholderData } = useRead('GET /notifications/template/', { ...key })
  return (
    <Stack>
      {key.channel !== 'sms' && (
        <Text size="sm" c="dimmed">
          {t('notifications.templatesText')}
        </Text>
      )}
      <Choice />
      <OwnTexts />
      {data && !isPlaceholderData ? (
        <TemplateEditor key={JSON.stringify(key)} selection={key} template={data} />
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingState />
      )}
    </Stack>
  )
}

function Choice() {
  const { t } = useTranslation()
  const { kind, locale, channel } = useTemplateSelection()
  const { role } = useUser()
  const services = useServiceNames()
  return (
    <Group gap="sm">
      <QuerySelect
        name="channel"
        flex="1 1 180px"
        maw={200}
        label={t('sms.channel')}
        fallback="email"
        data={(['email', 'sms'] as const).map((value) => ({ value, label: t(`sms.channels.${value}`) }))}
      />
      <QuerySelect
        name="kind"
        flex="1 1 200px"
        maw={320}
        label={t('notifications.message')}
        fallback={kind}
        data={templateKindsOf(channel)
          .filter((one) => canEdit(role, one))
          .map((value) => ({ value, label: t(`notifications.kinds.${value}`) }))}
      />
      <QuerySelect
        name="locale"
        flex="1 1 120px"
        maw={200}
        label={t('notifications.language')}
        fallback={locale}
        data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
      />
      {isNotificationKind(kind) && (
        <QuerySelect
          name="serviceId"
          flex="1 1 200px"
          maw={320}
          searchable
          label={t('notifications.service')}
          placeholder={t('notifications.allServices')}
          data={[...services].map(([value, label]) => ({ value, label }))}
        />
      )}
    </Group>
  )
}

/** Links to the templates that differ from the defaults. */
function OwnTexts() {
  const { t } = useTranslation()
  const services = useServiceNames()
  const { data } = useRead('GET /notifications/templates/', { per_page: 500 })
  if (!data || data.items.length === 0) return null
  return (
    <Section title={t('notifications.ownTexts')}>
      <Stack component="ul" gap={4} p={0} m={0} className="plain">
        {data.items.map(({ kind, locale, serviceId, channel }) => (
          <li key={`${channel} ${kind} ${locale} ${serviceId}`}>
            <Anchor
              component={PanelLink}
              to="/settings/notifications"
              search={{
                ...{ view: 'templates', kind, locale },
                ...(serviceId !== '' && { serviceId }),
                ...(channel === 'sms' && { channel }),
              }}
              size="sm"
              className="breakable"
            >
              {[
                t(`notifications.kinds.${kind}`),
                ...(channel === 'sms' ? [t('sms.channels.sms')] : []),
                languages[locale],
                ...(isNotificationKind(kind)
                  ? [serviceId === '' ? t('notifications.allServices') : (services.get(serviceId) ?? serviceId)]
                  : []),
              ].join(' · ')}
            </Anchor>
          </li>
        ))}
      </Stack>
    </Section>
  )
}
