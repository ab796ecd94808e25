import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Section } from '../../../components/section.tsx'
import { Timestamp } from '../../../components/timestamp.tsx'
import type { ShownTemplate } from './template-selection.ts'

interface TemplateVersionsProps {
  readonly versions: ShownTemplate['versions']
  /** Puts the text of a version into the editor. */
  readonly use: (version: ShownTemplate['versions'][number]) => void
}

/** Lists the saved versions of a template, the newest first. */
export function TemplateVersions({ versions, use }: TemplateVersionsProps) {
  const { t } = useTranslation()
  return (
    <Section title={t('notifications.versions')}>
      {versions.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('notifications.versionsEmpty')}
        </Text>
      )}
      <Stack component="ul" gap="sm" p={0} m={0} className="plain">
        {versions.map((one) => {
          const { version, subject, body, by, createdAt } = one
          return (
            <Group component="li" key={version} justify="space-between" gap="xs">
              <div>
                <Text size="sm" className="breakable">
                  {t('notifications.version', { number: version })}
                  {' · '}
                  {body === '' ? t('notifications.versionReset') : subject}
                </Text>
                <Text size="xs" c="dimmed" component="div">
                  <Timestamp at={createdAt} /> {by !== '' && t('notifications.versionBy', { name: by })}
                </Text>
              </div>
              {body !== '' && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t('notifications.restoreOf', { number: version })}
                  onClick={() => use(one)}
                >
                  {t('notifications.restore')}
                </Button>
              )}
            </Group>
          )
        })}
      </Stack>
    </Section>
  )
}
