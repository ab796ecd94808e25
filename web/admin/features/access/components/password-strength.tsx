import { Group, Progress, Text } from '@mantine/core'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { useDeferredValue, useMemo } from 'react'
import { useTranslation } from 'react-i18next'

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
const maxEstimatedLength = 128
const levels = ['at0', 'at1', 'at2', 'at3', 'at4'] as const
const colors = ['red', 'red', 'orange', 'teal', 'teal'] as const

interface PasswordStrengthProps {
  readonly password: string
  readonly words: readonly string[]
}

/** Estimates the strength of a password while it is typed, with the same word list as the service. */
export default function PasswordStrength({ password, words }: PasswordStrengthProps) {
  const { t } = useTranslation()
  const typed = useDeferredValue(password)
  const { score } = useMemo(() => {
    const known = words.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).filter((word) => word.length > 2)
    return estimator.check(typed.slice(0, maxEstimatedLength), known)
  }, [typed, words])
  return (
    <Group gap="xs" wrap="nowrap">
      {/* Hidden from screen readers, since the text beside the bar states the strength. */}
      <Progress.Root flex={1} aria-hidden>
        <Progress.Section value={(score + 1) * 20} color={colors[score]} withAria={false} />
      </Progress.Root>
      <Text size="xs" role="status">
        {t('strength.label')}: {t(`strength.levels.${levels[score]}`)}
      </Text>
    </Group>
  )
}
