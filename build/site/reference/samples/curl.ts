import { sampleOrigin } from '../../sample-origin.ts';
import type { SampleLanguage } from './sample.ts';

const key = '-H "Authorization: Bearer $API_KEY"';

/** For a shell of POSIX. */
export const curl: SampleLanguage = {
  id: 'curl',
  name: 'curl',
  write(request) {
    switch (request.kind) {
      case 'redirect':
        return `curl -i ${sampleOrigin}${request.path}`;
      case 'exam':
      case 'year':
        return `curl ${sampleOrigin}${request.path}`;
      case 'questions':
        return `curl ${key} \\
  ${sampleOrigin}${request.path}`;
      case 'diagram':
        return `FILE=$(curl -s ${key} \\
  ${sampleOrigin}${request.questions} |
  grep -o '"file":"[^"]*"' | head -n 1 | cut -d '"' -f 4)
curl -O ${key} \\
  "${sampleOrigin}${request.folder}/$FILE"`;
    }
  },
};
