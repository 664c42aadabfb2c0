import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

class WithOkHttp {
  static Response retry(Interceptor.Chain chain) throws IOException {
    for (int attempt = 0; ; attempt++) {
      int seconds = 2;
      try {
        Response response = chain.proceed(chain.request());
        String retryAfter = response.header("Retry-After");
        boolean isRetryable = retryAfter != null || response.code() == 429 || response.code() >= 500;
        if (!isRetryable || attempt == 4) return response;
        if (retryAfter != null) seconds = Integer.parseInt(retryAfter);
        response.close();
      } catch (IOException noResponse) {
        if (attempt == 4 || chain.call().isCanceled()) throw noResponse;
      }
      try {
        Thread.sleep(seconds * 1000L << attempt);
      } catch (InterruptedException stopped) {
        throw new IOException(stopped);
      }
    }
  }

  public static void main(String[] args) throws Exception {
    OkHttpClient client = new OkHttpClient.Builder().addInterceptor(WithOkHttp::retry)
        .readTimeout(Duration.ofSeconds(10)).build();
    ObjectMapper json = new ObjectMapper();
    byte[] body = json.writeValueAsBytes(Map.of("id", 9007199254740993L, "name", "Fern"));
    Request request = new Request.Builder().url(System.getenv("BASE_URL") + "/plants")
        .header("Authorization", "Bearer " + System.getenv("PLANT_STORE_TOKEN"))
        .post(RequestBody.create(body, MediaType.get("application/json"))).build();
    try (Response response = client.newCall(request).execute()) {
      JsonNode content = json.readTree(response.body().bytes());
      System.out.println(content.get(response.isSuccessful() ? "name" : "error").asText());
    }
  }
}
